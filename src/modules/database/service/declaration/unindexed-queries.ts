import type { DatabaseAdapter, Dialect, ExplainOptions } from '../../adapters/database-adapter';
import type { FilterOperator } from '../../query/filters/filter-operators';
import { DatabaseError } from '../../adapters/database-error';
import { quotedName, quotedTable } from '../../adapters/postgres/qualified-name';
import { NO_FILTER, RowFilter } from '../../query/filters/row-filter';
import type { TableQueries } from '../../query/table-queries';
import type { Table, TableEmbed, TableFilter } from '../../table/table';
import { keyNames } from '../../table/table-key';
import { isPostgresScan, isPostgresSort } from './plans/postgres-plan';
import { isSqliteScan, isSqliteSort } from './plans/sqlite-plan';

/** Whether a plan reads every row to find those of a filter. */
const isScan: Readonly<Record<Dialect, (plan: string, view: string) => boolean>> = {
  sqlite: isSqliteScan,
  postgres: isPostgresScan,
};

/** Whether a plan sorts all rows. */
const isSort: Readonly<Record<Dialect, (plan: string, view: string) => boolean>> = {
  sqlite: isSqliteSort,
  postgres: isPostgresSort,
};

/** Filters that ordinary indexes do not serve: they read every row by nature. */
const UNSERVED: Readonly<Record<Dialect, readonly FilterOperator[]>> = {
  sqlite: ['ne', 'contains', 'is'],
  // A prefix that is a parameter cannot become a range.
  postgres: ['ne', 'contains', 'is', 'starts'],
};

/**
 * Returns a warning about the filters and orders of a service that no index of its table serves, with the indexes to
 * create; none if indexes serve all.
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
  const isUnserved = async (
    request: Partial<Parameters<TableQueries['list']>[0]>,
    purpose: ExplainOptions['purpose'],
  ): Promise<boolean> => {
    const { statement } = queries.list({ ...list, ...request });
    const isSlow = async (options: ExplainOptions): Promise<boolean> => {
      const plan = (await adapter.explain(statement, { purpose, ...options })).join('\n');
      return (purpose === 'order' ? isSort : isScan)[table.dialect](plan, table.name);
    };
    if (!(await isSlow({}))) return false;
    // This plan needs a copy of the schema: only where there may be a warning.
    return table.dialect === 'postgres' || isSlow({ withoutStatistics: true });
  };
  const filters = table.filters.filter(
    ({ operator, where: condition }) =>
      condition === undefined && !UNSERVED[table.dialect].includes(operator),
  );
  try {
    const unserved = await Promise.all(
      filters.map(async (filter) => {
        // The order of the key alone would choose the index of the key.
        const order = [{ name: filter.column.name, descending: false }];
        return (await isUnserved({ filter: filterBy(filter), sort: order }, 'filter')) ? [filter] : [];
      }),
    );
    const unsorted = await Promise.all(
      sort.map(async (name) =>
        (await isUnserved({ sort: [{ name, descending: false }] }, 'order')) ? [name] : [],
      ),
    );
    const all = [
      ...unindexedColumns(unserved.flat(), unsorted.flat(), table),
      ...table.embeds.flatMap((embed) => unindexedEmbed(embed, table.dialect)),
    ];
    return all.length === 0 ? [] : [`${where}: no index serves ${all.join('; ')}.`];
  } catch (error) {
    // A database that fails now is reported elsewhere.
    if (error instanceof DatabaseError) return [];
    throw error;
  }
}

/** One text for each column, since one index serves its filters and its order. */
function unindexedColumns(
  unserved: readonly TableFilter[],
  unsorted: readonly string[],
  table: Table,
): readonly string[] {
  const key = keyNames(table);
  // Nothing can be written to a view.
  const isView = table.columns.every(({ isSettable }) => !isSettable);
  const names = new Set([...unserved.map(({ column }) => column.name), ...unsorted]);
  return [...names].map((name) => {
    const filters = unserved.filter(({ column }) => column.name === name);
    const isUnsorted = unsorted.includes(name);
    const index = `(${[name, ...key.filter((one) => one !== name)].map(quotedName).join(', ')})`;
    const uses = [
      ...(filters.length === 0
        ? []
        : [
            `${filters.length === 1 ? 'the filter' : 'the filters'} ${listing(filters.map(({ parameter }) => `"${parameter}"`))}`,
          ]),
      ...(isUnsorted ? [`the order by "${name}"`] : []),
    ];
    const advice = isUnsorted ? `create one on ${index}` : `create one that begins with "${name}"`;
    return `${listing(uses)} (${isView ? 'create one on the tables of the view' : advice})`;
  });
}

function unindexedEmbed(embed: TableEmbed, dialect: Dialect): readonly string[] {
  if (embed.kind === 'entity' || embed.isIndexed) return [];
  const table = quotedTable(embed.through?.name ?? embed.target, dialect);
  return [`the embed "${embed.name}" (create one on ${table} (${quotedName(embed.foreignKey)}))`];
}

/** `a, b and c` */
function listing(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}

/** One filter, with any value: plans do not depend on it, except for a beginning, which SQLite makes a range. */
function filterBy(filter: TableFilter): RowFilter {
  const { operator } = filter;
  const planned: TableFilter = operator === 'starts' ? { ...filter, operator: 'gte' } : filter;
  return new RowFilter([{ kind: 'filter', filter: planned, value: operator === 'in' ? ['0'] : '0', at: '' }]);
}
