import { passwordLines, type LineProblem } from './lines';

/** The groups of a group file. */
export interface GroupTable {
  /** Group names by user name, in the order of the file. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly LineProblem[];
}

const MEMBER = /[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^ \t"]+))(?=[ \t]|$)/y;

/**
 * Reads the text of a group file, `group: user user` a line, as Apache's AuthGroupFile has it: a group may have
 * several lines, a user name with white space stands in quotes. What can't be read is a problem, and the other
 * lines keep working.
 */
export function readGroupTable(text: string): GroupTable {
  const groups = new Map<string, string[]>();
  const problems: LineProblem[] = [];
  for (const { number, text: content } of passwordLines(text)) {
    const colon = content.indexOf(':');
    const group = content.slice(0, Math.max(0, colon)).trim();
    const members = content.includes('\uFFFD') ? undefined : readMembers(content.slice(colon + 1));
    if (group === '' || members === undefined) {
      problems.push({ line: number, message: 'expected group: user user … in UTF-8; the line is not used' });
      continue;
    }
    for (const member of members) {
      const own = groups.get(member) ?? [];
      if (!own.includes(group)) groups.set(member, [...own, group]);
    }
  }
  return { groups, problems };
}

function readMembers(text: string): readonly string[] | undefined {
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
