import { readPasswordHash } from '../passwords/hashes/read-password-hash';
import { parseDigestLine } from './digest-table';
import { passwordLines, type LineIssue } from './lines';

/** The groups of a group file. */
export interface GroupTable {
  /** Group names by user name. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Whether the file has lines, and none of them can be parsed. */
  readonly isDamaged: boolean;
  readonly issues: readonly LineIssue[];
}

const MEMBER = /[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^ \t"]+))(?=[ \t]|$)/y;

/**
 * Parses a group file like Apache's AuthGroupFile, one `group: user user` per line. A group may have several lines; user
 * names with white space are quoted. Reports invalid lines as issues.
 */
export function readGroupTable(text: string): GroupTable {
  const groups = new Map<string, string[]>();
  const problems: LineIssue[] = [];
  const lines = passwordLines(text);
  for (const { number, text: content } of lines) {
    const colon = content.indexOf(':');
    const group = content.slice(0, Math.max(0, colon)).trim();
    const members = content.includes('\uFFFD') ? undefined : readMembers(content.slice(colon + 1));
    if (group === '' || members === undefined) {
      problems.push({ line: number, message: 'expected group: user user … in UTF-8; the line is ignored' });
      continue;
    }
    if (isOfUser(content)) {
      const message =
        'expected group: user user …; the line is ignored: it is that of a user with a hash, whose file is to be specified as "htpasswd" or "htdigest"';
      problems.push({ line: number, message });
      continue;
    }
    for (const member of members) {
      const own = groups.get(member) ?? [];
      if (!own.includes(group)) groups.set(member, [...own, group]);
    }
  }
  return { groups, isDamaged: lines.length > 0 && problems.length === lines.length, issues: problems };
}

/** Whether a line is that of a password file or digest file. Text after the hash of a password file is ignored there. */
function isOfUser(line: string): boolean {
  const [, stored = ''] = line.split(':');
  return parseDigestLine(line) !== undefined || readPasswordHash(stored.trim()) !== undefined;
}

/** The members that a line lists; undefined for invalid syntax. */
export function readMembers(text: string): readonly string[] | undefined {
  const list = text.trimEnd();
  const members: string[] = [];
  for (let position = 0; position < list.length; position = MEMBER.lastIndex) {
    MEMBER.lastIndex = position;
    const match = MEMBER.exec(list);
    if (match === null) return undefined;
    members.push(match[2] ?? (match[1] ?? '').replace(/\\(.)/gs, '$1'));
  }
  return members;
}
