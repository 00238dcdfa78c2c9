import type { SqliteConnection } from '../sqlite-connection';

// Worker threads load this file: it does not import the framework, which would slow their start.

/** The extended result code SQLITE_CONSTRAINT_FOREIGNKEY. */
const FOREIGN_KEY_FAILED = 787;

const VIOLATIONS = 'SELECT "table" AS child, parent FROM pragma_foreign_key_check';

/** Rows that refer to a row that does not exist. */
class ForeignKeyFailure extends Error {
  readonly errcode = FOREIGN_KEY_FAILED;
}

/**
 * Runs a transaction without foreign keys and their actions. The setting cannot be changed inside of a transaction.
 *
 * @param run calls the check that it gets before it commits: it fails if more rows than before violate a foreign key
 */
export function withoutForeignKeys<T>(connection: SqliteConnection, run: (check: () => void) => T): T {
  connection.exec('PRAGMA foreign_keys = OFF');
  try {
    const before = violationsOf(connection);
    return run(() => assertNoMore(before, violationsOf(connection)));
  } finally {
    connection.exec('PRAGMA foreign_keys = ON');
  }
}

/** The number of rows that violate a foreign key, by the tables of the rows and of the key. */
function violationsOf(connection: SqliteConnection): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of connection.rows(VIOLATIONS)) {
    const { child, parent } = row as { readonly child: string; readonly parent: string };
    const reference = `"${child}" refer to rows of "${parent}"`;
    counts.set(reference, (counts.get(reference) ?? 0) + 1);
  }
  return counts;
}

/** @throws ForeignKeyFailure */
function assertNoMore(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
  for (const [reference, count] of after) {
    if (count <= (before.get(reference) ?? 0)) continue;
    throw new ForeignKeyFailure(
      `FOREIGN KEY constraint failed: rows of ${reference} that do not exist. "PRAGMA foreign_keys = OFF" applies to all pending files: ON DELETE and ON UPDATE have no effect.`,
    );
  }
}
