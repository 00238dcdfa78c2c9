import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { objectOf } from '../../../../../src/framework';
import { SqliteConnection } from '../../../../../src/modules/database/adapters/sqlite/sqlite-connection';
import { openDatabase } from '../../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { pageSchema } from '../../../../../src/modules/database/service/table-schemas';
import { createSqliteTables } from '../../../../factories/database/created-tables';
import {
  literal,
  NAMES,
  nameTests,
  sizeTests,
  things,
  type Thing,
  type ThingTest,
} from '../../../../factories/database/things';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { HOSTING } from '../../../../factories/processes/start-refusal';

const rows = things(120);

const TABLE = `CREATE TABLE things(id INTEGER PRIMARY KEY, name TEXT, size INTEGER);
  CREATE INDEX things_by_size ON things (size, id);
  CREATE TABLE ranked(id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, name TEXT);
  CREATE INDEX ranked_by_rank ON ranked (rank, id);
  CREATE TABLE named(id INTEGER PRIMARY KEY, "True" INTEGER NOT NULL, "false" INTEGER);
  INSERT INTO named VALUES (1, 2, 8), (2, 1, 7), (3, 2, 9);
  INSERT INTO ranked VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c');
  INSERT INTO things VALUES ${rows.map(({ id, name, size }) => `(${id}, ${literal(name)}, ${literal(size)})`).join(', ')};`;

const lists = createSqliteTables(TABLE);
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    modules: [...HOSTING, 'database'],
    local: {
      'platform-db': { adapters: { lists } },
      'platform-hosting': {
        apis: {
          Lists: {
            versions: {
              '1': {
                services: {
                  Thing: {
                    kind: 'table',
                    adapter_name: 'lists',
                    table_name: 'things',
                    route: '/things[/:id]',
                    route_identifier_name: 'id',
                    columns: { id: {}, name: {}, size: {} },
                    filters: {
                      name: ['eq', 'ne', 'in', 'starts', 'contains', 'is'],
                      size: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is'],
                    },
                    page_size: 7,
                    collection: { GET: { sort: ['name', 'size', 'id'] } },
                  },
                  Ranked: {
                    kind: 'table',
                    adapter_name: 'lists',
                    table_name: 'ranked',
                    route: '/ranked[/:id]',
                    route_identifier_name: 'id',
                    columns: { id: {}, rank: {}, name: {} },
                    page_size: 1,
                    collection: { GET: { sort: ['rank'] } },
                  },
                  Named: {
                    kind: 'table',
                    adapter_name: 'lists',
                    table_name: 'named',
                    route: '/named[/:id]',
                    route_identifier_name: 'id',
                    columns: { id: {}, True: {}, false: {} },
                    page_size: 1,
                    collection: { GET: { sort: ['True'] } },
                  },
                  Numbered: {
                    kind: 'table',
                    adapter_name: 'lists',
                    table_name: 'things',
                    route: '/numbered[/:id]',
                    route_identifier_name: 'id',
                    columns: { id: {}, name: {} },
                    paging: 'page',
                    collection: { GET: {} },
                  },
                },
              },
            },
          },
        },
      },
    },
  });
}, 60_000);
afterAll(() => platform.stop());

/** A filter as a query parameter, and the same condition in JavaScript. */
const filter: fc.Arbitrary<readonly [parameter: string, value: string, matches: ThingTest]> = fc.oneof(
  fc
    .tuple(fc.constantFrom('eq', 'ne', 'starts', 'contains'), fc.constantFrom(...NAMES))
    .filter(([operator, text]) => text !== null && !(text === '' && operator !== 'eq' && operator !== 'ne'))
    .map(([operator, text]): [string, string, ThingTest] => [
      `name.${operator}`,
      text ?? '',
      nameTests[operator](text ?? ''),
    ]),
  fc
    .tuple(fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte'), fc.integer({ min: -2, max: 4 }))
    .map(([operator, value]): [string, string, ThingTest] => [
      `size.${operator}`,
      String(value),
      sizeTests[operator](value),
    ]),
  fc
    .uniqueArray(fc.integer({ min: -2, max: 4 }), { minLength: 1 })
    .map((values): [string, string, ThingTest] => [
      'size.in',
      values.join(','),
      ({ size }) => size !== null && values.includes(size),
    ]),
  fc
    .tuple(fc.constantFrom('name', 'size'), fc.boolean())
    .map(([name, isNull]): [string, string, ThingTest] => [
      `${name}.is`,
      isNull ? 'null' : 'not_null',
      (row) => (row[name] === null) === isNull,
    ]),
);

const sort = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom('name', 'size', 'id'), fc.boolean())
    .map(([name, descending]) => ({ name, descending })),
  { selector: ({ name }) => name, maxLength: 3 },
);

/** Nulls last, texts by their bytes, as the database compares them; ties in the direction of the last key. */
function inOrder(
  list: readonly Thing[],
  keys: readonly { name: string; descending: boolean }[],
): readonly Thing[] {
  const all = [...keys, { name: 'id', descending: keys.at(-1)?.descending ?? false }];
  return [...list].sort((a, b) => {
    for (const { name, descending } of all) {
      const [left, right] = [a[name as keyof Thing], b[name as keyof Thing]];
      if (left === right) continue;
      if (left === null) return 1;
      if (right === null) return -1;
      const order =
        typeof left === 'number'
          ? left - Number(right)
          : Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
      return descending ? -order : order;
    }
    return 0;
  });
}

interface Page {
  readonly items: readonly Thing[];
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
}

function pathOf(query: URLSearchParams, cursor: string | null): string {
  const all = new URLSearchParams(query);
  if (cursor !== null) all.set('cursor', cursor);
  return `/things?${all.toString()}`;
}

async function pageOf(query: URLSearchParams, cursor: string | null): Promise<Page> {
  const response = await platform.request(pathOf(query, cursor));
  const body = await bodyOf(response);
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return body as unknown as Page;
}

/** A key of `sort`, as a query has it. */
const keyOf = (name: string): { name: string; descending: boolean } => ({
  name: name.replace('-', ''),
  descending: name.startsWith('-'),
});

describe('the rows of these tests', () => {
  it('tell the orders apart that differ in a further column only', () => {
    const orders = [['name'], ['-name'], ['name', 'size'], ['name', '-size', 'id'], ['name', 'size', '-id']];
    const lists = orders.map((names) =>
      inOrder(rows, names.map(keyOf))
        .map(({ id }) => id)
        .join(),
    );
    expect(new Set(lists).size).toBe(orders.length);
  });
});

describe('a list of a table', () => {
  it('has the rows of the same query in JavaScript, in the same order, on every page, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(filter, { selector: ([name]) => name, maxLength: 3 }),
        sort,
        async (filters, keys) => {
          const query = new URLSearchParams(filters.map(([name, value]) => [name, value]));
          if (keys.length > 0)
            query.set('sort', keys.map(({ name, descending }) => (descending ? `-${name}` : name)).join());
          const expected = inOrder(
            rows.filter((row) => filters.every(([, , matches]) => matches(row))),
            keys,
          );
          const pages: Page[] = [await pageOf(query, null)];
          for (
            let next = pages[0]?.next_cursor ?? null;
            next !== null;
            next = pages.at(-1)?.next_cursor ?? null
          )
            pages.push(await pageOf(query, next));
          expect(pages.flatMap(({ items }) => items)).toEqual(expected);
          for (let at = pages.length - 1; at > 0; at--) {
            const back = await pageOf(query, pages[at]?.previous_cursor ?? null);
            expect(back.items).toEqual(pages[at - 1]?.items);
          }
          // Their transaction is in a thread.
          const operations = [null, ...pages.slice(0, -1).map((page) => page.next_cursor)].map((cursor) => ({
            method: 'GET',
            path: pathOf(query, cursor),
          }));
          const { results } = await bodyOf(
            await platform.request('/platform/batch', sendJson({ operations })),
          );
          expect((results as { body: Page }[]).flatMap(({ body }) => body.items)).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  it.each([
    ["name.eq=' OR 1=1 --", []],
    ["name.starts=') OR ('1'='1", []],
    ['name.in=a,A', ['a', 'A']],
    ['name.contains=%25', ['a%b']],
  ])('takes %s as a value', async (query, names) => {
    const found = await pageOf(new URLSearchParams(query), null);
    expect([...new Set(found.items.map(({ name }) => name))].sort()).toEqual([...names].sort());
  });

  it.each([
    'sort=name;drop',
    'fields=id)%20from',
    'size.in=1,x',
    'size.in=',
    'size.in=1e400',
    'name.is=true',
    'cursor=e30',
    'count=all',
    'size.eq=1e99',
  ])('refuses %s with 400', async (query) => {
    expect((await platform.request(`/things?${query}`)).status).toBe(400);
  });
});

describe('A page of rows', () => {
  it.each([
    ['cursor', 'things'],
    ['page', 'numbered'],
  ] as const)('by %s has the order of its schema, so that generated code writes it', async (paging, path) => {
    const page = await bodyOf(await platform.request(`/${path}?page_size=2&count=exact`));
    const declared = pageSchema(Type.Object({}), 'items', paging).properties;
    expect(Object.keys(page)).toEqual(Object.keys(declared));
  });

  it.each([
    ['rank', [1, 2, 3]],
    ['-rank', [3, 2, 1]],
  ])('in the order %s is read by an index, without sorting', async (sort, ids) => {
    // Pages after the first one are read in parts.
    const read = jest.spyOn(SqliteConnection.prototype, 'read');
    const found: unknown[] = [];
    for (let path: string | undefined = `/ranked?sort=${sort}`; path !== undefined;) {
      const { items, next_cursor: next } = await bodyOf(await platform.request(path));
      found.push(...(items as Thing[]).map(({ id }) => id));
      path = typeof next === 'string' ? `/ranked?sort=${sort}&cursor=${next}` : undefined;
    }
    const texts = read.mock.calls.map(([text]) => text);
    read.mockRestore();
    expect(found).toEqual(ids);
    const { file } = objectOf(lists.options);
    const database = openDatabase(typeof file === 'string' ? file : '');
    const plans = texts.map((text) => {
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as { detail: string }[];
      return steps.map(({ detail }) => detail).filter((detail) => /ranked|B-TREE/.test(detail));
    });
    database.close();
    const first = ['SCAN ranked USING INDEX ranked_by_rank'];
    const others = ['=', sort === 'rank' ? '>' : '<'].map((operator) => [
      expect.stringMatching(`^SEARCH ranked USING INDEX ranked_by_rank .rank${operator}`) as string,
    ]);
    expect(plans).toEqual([first, ...others, ...others]);
  });

  it('has columns that are named like truth values', async () => {
    const columns: unknown[] = [];
    for (let path: string | undefined = '/named?sort=True'; path !== undefined;) {
      // A transaction reads a page as one statement.
      const operations = [{ method: 'GET', path }];
      const { results } = await bodyOf(await platform.request('/platform/batch', sendJson({ operations })));
      const [result] = results as { status: number; body: Record<string, unknown> }[];
      expect(result?.status).toBe(200);
      const { items, next_cursor: next } = result?.body ?? {};
      columns.push(...(items as Record<string, unknown>[]).map((row) => [row.id, row.True, row.false]));
      path = typeof next === 'string' ? `/named?sort=True&cursor=${next}` : undefined;
    }
    expect(columns).toEqual([
      [2, 1, 7],
      [1, 2, 8],
      [3, 2, 9],
    ]);
  });
});
