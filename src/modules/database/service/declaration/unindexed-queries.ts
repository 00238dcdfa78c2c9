import type { DatabaseAdapter, Dialect } from '../../adapters/database-adapter';
import type { FilterOperator } from '../../query/filter-operators';
import { DatabaseError } from '../../adapters/database-error';
import { NO_FILTER, RowFilter } from '../../query/row-filter';
import type { TableQueries } from '../../query/table-queries';
import type { Table, TableFilter } from '../table';
import { keyNames } from '../table-key';

/** Whether a plan reads every row: without an index (SQLite), or with one that the condition does not narrow. */
const isScan: Readonly<Record<Dialect, (plan: string) => boolean>> = {
  sqlite: (plan) => /^SCAN (?!.*USING (COVERING )?INDEX)/m.test(plan),
  postgres: (plan) => !plan.includes('Index Cond'),
};

/** Whether a plan sorts all rows that it has read; one that sorts those with an equal first key does not. */
const isSort = (plan: string): boolean =>
  plan.includes('USE TEMP B-TREE') || (plan.includes('Sort Key') && !plan.includes('Presorted Key'));

/** Filters that ordinary indexes do not serve: they read every row by nature. */
const UNSERVED: Readonly<Record<Dialect, readonly FilterOperator[]>> = {
  sqlite: ['ne', 'contains', 'is'],
  // A prefix that is a parameter cannot become a range.
  postgres: ['ne', 'contains', 'is', 'starts'],
};

/**
 * Returns a warning for each filter and order of a service that no index of its table serves.
 * @param sort the columns by which clients can sort
 * @param where service name, for messages
 */
export async function unindexedWarnings(
  {
    table,
    queries,
    adapter,
  }: { readonly table: Table; readonly queries: TableQueries; readonly adapter: DatabaseAdapter },
  sort: readonly string[],
  where: string,
): Promise<readonly string[]> {
  const list = { filter: NO_FILTER, sort: [], columns: table.columns, embeds: [], isPaged: false };
  const planOf = async (request: Partial<Parameters<TableQueries['list']>[0]>): Promise<string> =>
    (await adapter.explain(queries.list({ ...list, ...request }).statement)).join('\n');
  const filters = table.filters.filter(
    ({ operator, where: condition }) =>
      condition === undefined && !UNSERVED[table.dialect].includes(operator),
  );
  try {
    const filterWarnings = await Promise.all(
      filters.map(async (filter) =>
        // The order of the key alone would choose the index of the key.
        isScan[table.dialect](
          await planOf({ filter: filterBy(filter), sort: [{ name: filter.column.name, descending: false }] }),
        )
          ? [
              `no index serves the filter "${filter.parameter}": create one that begins with "${filter.column.name}"`,
            ]
          : [],
      ),
    );
    const orderWarnings = await Promise.all(
      sort.map(async (name) =>
        isSort(await planOf({ sort: [{ name, descending: false }] }))
          ? [
              `no index serves the order by "${name}": create one on (${[name, ...keyNames(table).filter((key) => key !== name)].join(', ')})`,
            ]
          : [],
      ),
    );
    const embedWarnings = table.embeds.flatMap((embed) =>
      embed.kind === 'entity' || embed.isIndexed
        ? []
        : [
            `no index serves the embed "${embed.name}": create one on ${embed.through?.name ?? embed.target} (${embed.foreignKey})`,
          ],
    );
    return [...filterWarnings.flat(), ...orderWarnings.flat(), ...embedWarnings].map(
      (text) => `${where}: ${text}.`,
    );
  } catch (error) {
    // A database that fails now is reported elsewhere.
    if (error instanceof DatabaseError) return [];
    throw error;
  }
}

/** One filter, with any value: plans do not depend on it. */
function filterBy(filter: TableFilter): RowFilter {
  return new RowFilter([{ kind: 'filter', filter, value: filter.operator === 'in' ? ['0'] : '0' }]);
}
