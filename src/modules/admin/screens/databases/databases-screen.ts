import { Problem, type ViewModel } from '../../../../framework';
import type { DatabaseActions, DatabaseTable } from '../../actions/databases/database-actions';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import { pageOf, searchIn } from '../../pages/paging';
import type { AdminServices } from '../../services';

const LIST = '/databases';

/** The maximum number of tables on a page. */
const PAGE_SIZE = 50;

const PRECONDITION_FAILED = 412;

/** The maximum number of columns, and of differences, that are shown at first. */
const MAX_SHOWN = 20;

/** The pages of databases, their tables and their drift, with connection tests. */
export function databasesScreen({ databases }: AdminServices): readonly AdminPage[] {
  return [
    { name: 'databases', pattern: LIST, GET: (context) => showList(context, databases) },
    {
      name: 'database',
      pattern: `${LIST}/:name`,
      GET: (context) => showDatabase(context, databases),
    },
    {
      name: 'database-test',
      role: 'viewer',
      pattern: `${LIST}/:name/test`,
      GET: ({ redirect, parameters: { name = '' } }) => redirect(pathOf(name)),
      POST: (context) => testConnection(context, databases),
    },
    {
      name: 'database-snapshot',
      pattern: `${LIST}/:name/snapshot`,
      GET: (context) => showSnapshot(context, databases),
      POST: (context) => updateSnapshot(context, databases),
    },
    {
      name: 'database-table',
      pattern: `${LIST}/:name/tables/:table`,
      GET: (context) => showTable(context, databases),
    },
  ];
}

function pathOf(name: string): string {
  return `${LIST}/${encodeURIComponent(name)}`;
}

async function showList({ show }: PageContext, databases: DatabaseActions): Promise<ViewModel> {
  return show('databases', { databases: await databases.list(), isEnabled: databases.isEnabled });
}

/** Shows the result on the list: its other entries are not used. */
async function testConnection(context: PageContext, databases: DatabaseActions): Promise<ViewModel> {
  const { name = '' } = context.parameters;
  const test = await databases.test(name);
  return context.show('databases', {
    databases: await databases.list(),
    isEnabled: true,
    test: { name, ...test },
  });
}

async function showDatabase(
  { show, query, parameters: { name = '' } }: PageContext,
  databases: DatabaseActions,
): Promise<ViewModel> {
  const database = await databases.get(name);
  const search = searchIn(query);
  const state = query.get('state') ?? '';
  const found = database.tables.filter(
    (table) => search.matches(searchTextOf(table)) && hasState(table, state),
  );
  const paging = pageOf(query, found.length, PAGE_SIZE);
  return show('database', {
    database,
    path: pathOf(name),
    tables: found.slice(paging.from, paging.to),
    search: search.text,
    state,
    paging,
    isLong: database.tables.length > PAGE_SIZE / 2,
    maxShown: MAX_SHOWN,
  });
}

async function showSnapshot(
  { show, parameters: { name = '' } }: PageContext,
  databases: DatabaseActions,
  isChanged = false,
): Promise<ViewModel> {
  const review = await databases.reviewSnapshot(name);
  const variables = { database: name, path: pathOf(name), review, isChanged, maxShown: MAX_SHOWN };
  return show('database-snapshot', variables, isChanged ? PRECONDITION_FAILED : 200);
}

/** If the tables have changed since they were shown, the page shows the new difference. */
async function updateSnapshot(context: PageContext, databases: DatabaseActions): Promise<PageResult> {
  const { form, actor, redirect, parameters } = context;
  const { name = '' } = parameters;
  try {
    const { file } = await databases.updateSnapshot(name, actor, form.get('tag') ?? undefined);
    return redirect(pathOf(name), `${file} was written, and the services were built from it.`);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== PRECONDITION_FAILED) throw error;
    return showSnapshot(context, databases, true);
  }
}

async function showTable(
  { show, parameters: { name = '', table = '' } }: PageContext,
  databases: DatabaseActions,
): Promise<ViewModel> {
  return show('database-table', {
    database: name,
    path: pathOf(name),
    table: await databases.table(name, table),
  });
}

/** A table is found by its name and by the names of its columns. */
function searchTextOf({ model: { name, columns } }: DatabaseTable): string {
  return `${name} ${Object.keys(columns).join(' ')}`;
}

function hasState({ uses, drift, isUsable }: DatabaseTable, state: string): boolean {
  if (state === 'used') return uses.length > 0;
  if (state === 'unused') return uses.length === 0;
  return state !== 'drift' || drift.length > 0 || !isUsable;
}
