import { readMembers } from '../group-table';
import { checkName } from '../names';
import { bytesOf, fromOctets, octetLines, toOctets } from './octet-lines';
import { PasswordEditError } from './password-edit-error';

/**
 * Sets the groups of a user in the content of a group file. Other lines are preserved byte for byte, including comments
 * and lines that are not UTF-8, as is the order of members; a group that is new gets a line at the end.
 *
 * @throws PasswordEditError for a name that the file cannot hold
 */
export function setUserGroups(file: string, bytes: Buffer, user: string, groups: readonly string[]): Buffer {
  checkName('user name', user);
  const invalid = groups.find((group) => group === '' || /[\s:"#@\p{Cc}\uFFFD]/u.test(group));
  if (invalid !== undefined)
    throw new PasswordEditError(
      `The group ${JSON.stringify(invalid)} cannot be stored in ${file}: it is empty, or contains white space, ":", "#", "@" or quotes.`,
    );
  const missing = new Set(groups);
  const lines = octetLines(bytes).flatMap((octets) => {
    const line = fromOctets(octets);
    // Readers of the file ignore it.
    if (line.includes('\uFFFD')) return [octets];
    const edited = editLine(line, user, groups, missing);
    return edited === undefined ? [] : [toOctets(edited)];
  });
  const last = lines.at(-1);
  const end = last === undefined || last.endsWith('\n') || missing.size === 0 ? [] : ['\n'];
  const added = [...missing].map((group) => toOctets(`${group}: ${quoted(user)}\n`));
  return bytesOf([...lines, ...end, ...added]);
}

/** @param missing groups that no line has added the user to yet */
function editLine(
  line: string,
  user: string,
  groups: readonly string[],
  missing: Set<string>,
): string | undefined {
  const colon = line.indexOf(':');
  const group = line
    .slice(0, Math.max(0, colon))
    .replace(/^\uFEFF/, '')
    .trim();
  const members = line.trimStart().startsWith('#') ? undefined : readMembers(line.slice(colon + 1));
  // Comments, blank and invalid lines.
  if (group === '' || members === undefined) return line;
  const isMember = members.includes(user);
  const isWanted = missing.has(group);
  missing.delete(group);
  if (isMember === groups.includes(group) || (!isMember && !isWanted)) return line;
  const changed = isMember ? members.filter((one) => one !== user) : [...members, user];
  if (changed.length === 0) return undefined;
  const end = /\r?\n$/.exec(line)?.[0] ?? '';
  return `${line.slice(0, colon + 1)} ${changed.map(quoted).join(' ')}${end}`;
}

function quoted(name: string): string {
  return /[\s"\\]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
}
