import { readGroupTable, type GroupTable } from '../password-files/group-table';
import { describeProblems } from '../password-files/lines';
import { openPasswordFile } from './open-password-file';

/** What opening a group file needs. */
export interface GroupsOpening {
  readonly adapter: string;
  /** The group file, absolute. */
  readonly path: string;
  readonly warn: (message: string) => void;
}

/** The groups of users, as the file has them now. */
export interface OpenGroups {
  of(username: string): readonly string[];
  readonly warnings: readonly string[];
  close(): void;
}

const NONE: readonly string[] = Object.freeze([]);

/** Opens a group file; throws AuthConfigurationError. */
export async function openGroups({ adapter, path, warn }: GroupsOpening): Promise<OpenGroups> {
  const describe = (table: GroupTable): readonly string[] => describeProblems(path, table.problems);
  const file = await openPasswordFile({
    adapter,
    path,
    option: 'htgroup',
    advice: 'create it with a line for each group, such as "staff: alice bob"',
    read: readGroupTable,
    describe,
    changed: () => undefined,
    warn,
  });
  return {
    of: (username) => file.current.groups.get(username) ?? NONE,
    warnings: describe(file.current),
    close: () => {
      file.close();
    },
  };
}
