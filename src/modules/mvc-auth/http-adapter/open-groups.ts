import type { GroupSource } from '../http/credential-source';
import { readGroupTable, type GroupTable } from '../password-files/group-table';
import { describeLineIssues } from '../password-files/lines';
import { openPasswordFile } from './open-password-file';

export interface OpenGroupsOptions {
  readonly adapter: string;
  /** Absolute path of the group file. */
  readonly path: string;
  readonly warn: (message: string) => void;
}

/** A watched group file. */
export interface OpenGroups extends GroupSource {
  readonly warnings: readonly string[];
  close(): void;
}

const NONE: readonly string[] = Object.freeze([]);

/** @throws AuthConfigurationError */
export async function openGroups({ adapter, path, warn }: OpenGroupsOptions): Promise<OpenGroups> {
  const describe = (table: GroupTable): readonly string[] => describeLineIssues(path, table.issues);
  const file = await openPasswordFile({
    adapter,
    path,
    option: 'htgroup',
    advice: 'create it with one line per group, such as "staff: alice bob"',
    read: readGroupTable,
    describe,
    changed: () => undefined,
    warn,
  });
  return {
    groupsOf: (username) => file.current.groups.get(username) ?? NONE,
    warnings: describe(file.current),
    close: () => {
      file.close();
    },
  };
}
