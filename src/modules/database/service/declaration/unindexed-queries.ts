import type { DatabaseAdapter, Dialect, ExplainOptions } from '../../adapters/database-adapter';
import type { FilterOperator } from '../../query/filters/filter-operators';
import { DatabaseError } from '../../adapters/database-error';
import { quotedName, quotedTable } from '../../adapters/postgres/qualified-name';
import { NO_FILTER, RowFilter } from '../../query/filters/row-filter';
import type { TableQueries } from '../../query/table-queries';
import type { Table, TableEmbed, TableFilter } from '../../table/table';
import { keyNames } from '../../table/table-key';

/**
 * Whether a plan reads every row: without an index, or with one that the condition does not narrow. A view may read all of
 * an index for something else, such as a count.
 */
const isScan: Readonly<Record<Dialect, (plan: string) => boolean>> = {
  sqlite: (plan) =>
    /^ *SCAN (?!.*USING (COVERING )?INDEX)/m.test(plan) || !/^ *SEARCH /m.test(plan) || OUTER_SCAN.test(plan),
  postgres: (plan) => !plan.includes('Index Cond') && !HAVING.test(plan),
};

/** In a plan of SQLite: the outer loop of a join reads every row. The steps of a subquery are indented. */
const OUTER_SCAN = /^(?:(?!SCAN |SEARCH ).*\n)*SCAN /;

/** In a plan of PostgreSQL: a condition of a request for groups, which no index serves. One of the view has no parameter. */
const HAVING = /Aggregate\b.*\n(?:(?! *->).*\n)*? *Filter: .*\$\d/;

/** In a plan of SQLite: a sort by more than the last terms of an order, whose first ones an index has sorted. */
const WHOLE_SORT = /USE TEMP B-TREE(?! FOR LAST )/;

/** Whether a plan sorts all rows that it has read; one that sorts those with an equal first key does not. */
const isSort = (plan: string, view: string): boolean =>
  (WHOLE_SORT.test(plan) || (plan.includes('Sort Key') && !plan.includes('Presorted Key'))) &&
  !isSortOfGroups(plan, view);

/** In a plan of PostgreSQL: the keys of a sort and of the groups that it sorts. A view may also join groups to rows. */
const SORTED_GROUPS = /Sort Key: (.+)\n(?: *-> {2}Subquery Scan .*\n)? *-> .*\n *Group Key: (.+)/;

/**
 * Whether a plan sorts what a view has grouped or made distinct, by an order that no index has: SQLite sorts the result
 * of such a view in any case, PostgreSQL by what it has calculated for each group.
 */
function isSortOfGroups(plan: string, view: string): boolean {
  if (isSubquery(plan, view)) return true;
  const [, sorted = '', grouped] = SORTED_GROUPS.exec(plan) ?? [];
  const first = /^(?:\(.+?\)(?= DESC|,|$)|[^,]+?)(?= DESC|,|$)/.exec(sorted)?.[0];
  return grouped !== undefined && first !== undefined && !grouped.split(', ').includes(first);
}

/** Whether SQLite runs a view by itself, and then reads its result. */
function isSubquery(plan: string, view: string): boolean {
  const lines = plan.split('\n');
  return lines.includes(`CO-ROUTINE ${view}`) || lines.includes(`MATERIALIZE ${view}`);
}

/** The plan of a view without the step that reads its result, which is as long as the conditions within it let it be. */
function withoutResult(plan: string, view: string): string {
  if (!isSubquery(plan, view)) return plan;
  return plan
    .split('\n')
    .filter((line) => line !== `SCAN ${view}`)
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n');
}

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
    isSlow: (plan: string) => boolean,
  ): Promise<boolean> => {
    const { statement } = queries.list({ ...list, ...request });
    const plan = async (options: ExplainOptions): Promise<string> =>
      (await adapter.explain(statement, options)).join('\n');
    if (!isSlow(await plan({}))) return false;
    // This plan needs a copy of the schema: only where there may be a warning.
    return table.dialect === 'postgres' || isSlow(await plan({ withoutStatistics: true }));
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
        const isFilterScan = (plan: string): boolean =>
          isScan[table.dialect](withoutResult(plan, table.name));
        return (await isUnserved({ filter: filterBy(filter), sort: order }, isFilterScan)) ? [filter] : [];
      }),
    );
    const unsorted = await Promise.all(
      sort.map(async (name) =>
        (await isUnserved({ sort: [{ name, descending: false }] }, (plan) => isSort(plan, table.name)))
          ? [name]
          : [],
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
