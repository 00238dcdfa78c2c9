import type { ColumnModel, DatabaseModel, TableModel } from './table-model';

/** A difference between a snapshot and the database. */
export interface Drift {
  readonly table: string;
  /** Undefined for the table itself, its key, its full-text index or its triggers. */
  readonly column: string | undefined;
  /** What else than the table or a column differs. */
  readonly part?: 'key' | 'search' | 'triggers';
  /** `breaking`: services that use what differs cannot run. `note`: they can. */
  readonly severity: 'breaking' | 'note';
  readonly message: string;
}

/** Compares the tables of a snapshot with those of the database. */
export function driftOf(snapshot: DatabaseModel, actual: DatabaseModel): readonly Drift[] {
  return Object.entries(snapshot.tables).flatMap(([table, expected]): readonly Drift[] => {
    const found = actual.tables[table];
    if (found === undefined) return [tableDrift(table, `the table ${table} does not exist`)];
    if (found.kind !== expected.kind)
      return [tableDrift(table, `${table} is a ${found.kind}, and was a ${expected.kind}`)];
    const known = Object.entries(expected.columns).flatMap(([column, model]) =>
      columnDrift(table, column, model, found.columns[column]),
    );
    const added = Object.keys(found.columns)
      .filter((column) => expected.columns[column] === undefined)
      .map((column): Drift => {
        const message = `the column ${table}.${column} is new`;
        return { table, column, severity: 'note', message };
      });
    return [
      ...known,
      ...added,
      ...keyDrift(expected, found),
      ...deferrableDrift(expected, found),
      ...searchDrift(expected, found),
      ...triggerDrift(expected, found),
    ];
  });
}

function tableDrift(table: string, message: string): Drift {
  return { table, column: undefined, severity: 'breaking', message };
}

/** Keys that are not unique any more. Those with a column that does not exist have been reported. */
function keyDrift({ name: table, primaryKey, unique }: TableModel, found: TableModel): readonly Drift[] {
  const lost = [primaryKey, ...unique].filter(
    (key) =>
      key.length > 0 &&
      key.every((column) => found.columns[column] !== undefined) &&
      ![found.primaryKey, ...found.unique].some((one) => isSameKey(one, key)),
  );
  return lost.map((key): Drift => {
    const message = `${table} has no primary key or unique index of ${key.join(', ')} any more`;
    return {
      table,
      column: undefined,
      part: 'key',
      severity: key === primaryKey ? 'breaking' : 'note',
      message,
    };
  });
}

/** Services create rows with another statement if a key may be checked at the commit. Earlier snapshots do not tell. */
function deferrableDrift(expected: TableModel, found: TableModel): readonly Drift[] {
  const isDeferrable = ({ deferrable = [] }: TableModel, key: readonly string[]): boolean =>
    deferrable.some((one) => isSameKey(one, key));
  const { name: table, primaryKey, unique } = expected;
  const changed = [primaryKey, ...unique].filter(
    (key) =>
      [found.primaryKey, ...found.unique].some((one) => isSameKey(one, key)) &&
      isDeferrable(expected, key) !== isDeferrable(found, key),
  );
  return changed.map((key): Drift => {
    const state = isDeferrable(found, key) ? 'may be checked at the commit' : 'is checked at once';
    const message = `the key ${key.join(', ')} of ${table} ${state} now`;
    return { table, column: undefined, part: 'key', severity: 'note', message };
  });
}

function isSameKey(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((column) => other.includes(column));
}

function searchDrift({ name: table, fullText: expected }: TableModel, found: TableModel): readonly Drift[] {
  const drift = (severity: Drift['severity'], message: string): readonly Drift[] => [
    { table, column: undefined, part: 'search', severity, message },
  ];
  if (expected === undefined)
    return found.fullText === undefined ? [] : drift('note', `the full-text index of ${table} is new`);
  if (found.fullText === undefined)
    return drift('breaking', `the full-text index of ${table} does not exist`);
  const isSame = JSON.stringify(found.fullText) === JSON.stringify(expected);
  return isSame ? [] : drift('breaking', `the full-text index of ${table} is another one`);
}

/** Services read rows again after a write if the snapshot says so. */
function triggerDrift(
  { name: table, isChangedByTriggers = false }: TableModel,
  found: TableModel,
): readonly Drift[] {
  if (isChangedByTriggers === (found.isChangedByTriggers ?? false)) return [];
  const message = isChangedByTriggers
    ? `no trigger changes rows of ${table} any more`
    : `triggers change rows of ${table} now`;
  return [{ table, column: undefined, part: 'triggers', severity: 'note', message }];
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
    return drift('note', found.isNullable ? 'can now be null' : 'can no longer be null');
  const labels = newValues(expected, found);
  if (labels !== undefined) return drift('note', labels);
  return JSON.stringify(found) === JSON.stringify(completedColumn(expected, found))
    ? []
    : drift('note', 'has another default, length or constraint');
}

/**
 * A snapshot with what earlier ones do not record, from the tables that were read: services need it, and it is not drift.
 */
export function completed(snapshot: DatabaseModel, actual: DatabaseModel): DatabaseModel {
  const tables = Object.entries(snapshot.tables).map(([name, table]): [string, TableModel] => {
    const found = actual.tables[name];
    if (found === undefined) return [name, table];
    const columns = Object.entries(table.columns).map(([column, model]): [string, ColumnModel] => {
      const now = found.columns[column];
      const isSame = now?.type === model.type && now.declared === model.declared;
      return [column, isSame ? completedColumn(model, now) : model];
    });
    return [name, { ...table, columns: Object.fromEntries(columns) }];
  });
  const { virtualTables } = actual;
  return {
    ...snapshot,
    tables: Object.fromEntries(tables),
    ...(virtualTables === undefined ? {} : { virtualTables }),
  };
}

/** Facts of columns that earlier snapshots do not record. */
const LATER_FACTS: ReadonlySet<string> = new Set<keyof ColumnModel>([
  'isNullableKey',
  'enumType',
  'dimensions',
]);

/** A column of a snapshot with these facts, in the order of the column that was read. */
function completedColumn(expected: ColumnModel, found: ColumnModel): ColumnModel {
  const names = new Set([...Object.keys(found), ...Object.keys(expected)]) as Set<keyof ColumnModel>;
  const members = [...names].map((name) => [name, (LATER_FACTS.has(name) ? found : expected)[name]] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as unknown as ColumnModel;
}

/** What a column has since values were added to its enum or its CHECK; undefined if none were. */
function newValues({ values: before }: ColumnModel, { values }: ColumnModel): string | undefined {
  const added = before === undefined ? [] : (values ?? []).filter((value) => !before.includes(value));
  if (added.length === 0) return undefined;
  return `has ${added.length === 1 ? 'the new value' : 'the new values'} ${added.map((value) => JSON.stringify(value)).join(', ')}, which clients cannot send yet`;
}
