import { driftOf } from './drift';
import type { DatabaseModel, TableModel } from './table-model';

/**
 * The tables of a snapshot that is replaced, as far as the database does not fit them any more: a service over them is
 * not a mistake, and is disabled at a start, as it was when they changed. They are forgotten when the database fits them.
 *
 * @param snapshot that is replaced
 * @param actual the tables of the database
 */
export function formerTablesOf(
  { tables, formerTables: earlier = {} }: DatabaseModel,
  actual: DatabaseModel,
): Readonly<Record<string, TableModel>> {
  const all = Object.entries({ ...earlier, ...tables }).map(
    ([name, table]): readonly [string, TableModel] => {
      const columns = { ...earlier[name]?.columns, ...table.columns };
      return [name, { ...table, columns }];
    },
  );
  return Object.fromEntries(all.filter((entry) => isReplaced(entry, actual)));
}

function isReplaced([name, table]: readonly [string, TableModel], actual: DatabaseModel): boolean {
  const drift = driftOf({ tables: { [name]: table } }, actual);
  return drift.some(({ severity }) => severity === 'breaking');
}

/** The model with former tables in place of those of the database; undefined if there are none. */
export function formerModel({ tables, formerTables }: DatabaseModel): DatabaseModel | undefined {
  return formerTables === undefined ? undefined : { tables: { ...tables, ...formerTables } };
}
