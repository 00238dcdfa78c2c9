import type { ColumnModel, DatabaseModel } from './table-model';

/** A difference between a snapshot and the database. */
export interface Drift {
  readonly table: string;
  /** Undefined for the table itself. */
  readonly column: string | undefined;
  /** `breaking`: services that use the column cannot run. `note`: they can. */
  readonly severity: 'breaking' | 'note';
  readonly message: string;
}

/** Compares the tables of a snapshot with those of the database. */
export function driftOf(snapshot: DatabaseModel, actual: DatabaseModel): readonly Drift[] {
  return Object.entries(snapshot.tables).flatMap(([table, { columns }]): Drift[] => {
    const found = actual.tables[table];
    if (found === undefined) {
      return [
        { table, column: undefined, severity: 'breaking', message: `the table ${table} does not exist` },
      ];
    }
    const known = Object.entries(columns).flatMap(([column, expected]) =>
      columnDrift(table, column, expected, found.columns[column]),
    );
    const added = Object.keys(found.columns)
      .filter((column) => columns[column] === undefined)
      .map((column): Drift => {
        const message = `the column ${table}.${column} is new`;
        return { table, column, severity: 'note', message };
      });
    return [...known, ...added];
  });
}

function columnDrift(
  table: string,
  column: string,
  expected: ColumnModel,
  found: ColumnModel | undefined,
): readonly Drift[] {
  const drift = (severity: Drift['severity'], message: string): readonly Drift[] => [
    { table, column, severity, message: `the column ${table}.${column} ${message}` },
  ];
  if (found === undefined) return drift('breaking', 'does not exist');
  // Snapshots from before the type was supported.
  const isSupportedNow = expected.type === 'other' && found.declared === expected.declared;
  if ((found.type !== expected.type && !isSupportedNow) || found.isArray !== expected.isArray)
    return drift('breaking', `is ${found.declared}, and was ${expected.declared}`);
  if (found.isNullable !== expected.isNullable)
    return drift('note', found.isNullable ? 'may be null now' : 'may not be null any more');
  const before = JSON.stringify(expected);
  return JSON.stringify(found) === before ? [] : drift('note', 'has another default, length or constraint');
}
