import fc from 'fast-check';
import { METHODS } from 'node:http';
import type { ConfigObject } from '../../../../../src/framework';
import { describeOnEachAdapter } from '../../../../factories/database/created-tables';
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

const all = things(90);

/** Hidden rows have the same values. */
const TABLE = `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, hidden INTEGER NOT NULL);
  INSERT INTO things VALUES ${all
    .flatMap(({ id, name, size }) => [
      `(${id}, ${literal(name)}, ${literal(size)}, 0)`,
      `(${id + 1000}, ${literal(name)}, ${literal(size)}, 1)`,
    ])
    .join(', ')};`;

const service: ConfigObject = {
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
  sql_filters: {
    initial: { where: 'lower(substr(name, 1, 1)) = lower(:value)', schema: { type: 'string', maxLength: 1 } },
  },
  rows: { hidden: 0 },
  page_size: 40,
  collection: { GET: { sort: ['name', 'size', 'id'] } },
  entity: { GET: {} },
};

type Filter = readonly [body: object, test: ThingTest];

const text = fc.constantFrom(...NAMES.filter((name) => name !== null));
const comparison: fc.Arbitrary<Filter> = fc.oneof(
  fc
    .tuple(fc.constantFrom('eq', 'ne', 'starts', 'contains'), text)
    .filter(([operator, value]) => value !== '' || operator === 'eq' || operator === 'ne')
    .map(([operator, value]): Filter => [{ name: { [operator]: value } }, nameTests[operator](value)]),
  fc
    .tuple(fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte'), fc.integer({ min: -2, max: 4 }))
    .map(([operator, value]): Filter => [{ size: { [operator]: value } }, sizeTests[operator](value)]),
  fc
    .constantFrom('a', 'A', '%', 'x')
    .map((value): Filter => [
      { initial: value },
      ({ name }) => name?.charAt(0).toLowerCase() === value.toLowerCase(),
    ]),
  fc
    .uniqueArray(text, { minLength: 1 })
    .map((values): Filter => [
      { name: { in: values } },
      ({ name }) => name !== null && values.includes(name),
    ]),
  fc
    .tuple(fc.constantFrom('name', 'size'), fc.boolean())
    .map(([name, isNull]): Filter => [
      { [name]: { is: isNull ? 'null' : 'not_null' } },
      (row) => (row[name as keyof Thing] === null) === isNull,
    ]),
);

/** A filter as a body has it, and the same condition in JavaScript. */
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    comparison,
    fc
      .array(tie('filter'), { minLength: 1, maxLength: 3 })
      .map((list): Filter => [
        { or: list.map(([body]) => body) },
        (row) => list.some(([, test]) => test(row)),
      ]),
    fc
      .array(tie('filter'), { minLength: 1, maxLength: 3 })
      .map((list): Filter => [
        { and: list.map(([body]) => body) },
        (row) => list.every(([, test]) => test(row)),
      ]),
    tie('filter').map(([body, test]): Filter => [{ not: body }, (row) => !test(row)]),
    // Members of one object hold together.
    fc
      .tuple(comparison, tie('filter'))
      .map(([[body, one], [other, two]]): Filter => [
        { ...body, not: other },
        (row) => one(row) && !two(row),
      ]),
  ),
}));

function describeFilters(own: jest.It, createTables: () => Promise<ConfigObject>): void {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc', 'database'],
      local: {
        'platform-db': { adapters: { lists: await createTables() } },
        'platform-hosting': {
          apis: {
            Lists: {
              versions: {
                '1': {
                  services: {
                    Thing: service,
                    Numbered: { ...service, route: '/numbered[/:id]', paging: 'page' },
                    Flat: { ...service, route: '/flat[/:id]', nested_filters: false },
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
  const query = (body: unknown, at = '/things'): Promise<Response> =>
    platform.request(`${at}/query`, sendJson(body));
  const idsOf = async (answer: Response): Promise<readonly unknown[]> => {
    const body = await bodyOf(answer);
    if (answer.status !== 200) throw new Error(JSON.stringify(body));
    return (body.items as readonly Thing[]).map(({ id }) => id);
  };

  describe('a filter in a body', () => {
    own(
      'select the rows of the same condition in JavaScript, on every page',
      async () => {
        await fc.assert(
          fc.asyncProperty(filter, async ([body, test]) => {
            const found: unknown[] = [];
            let cursor: unknown = undefined;
            do {
              const page = await bodyOf(await query({ filter: body, cursor }));
              found.push(...(page.items as readonly Thing[]));
              cursor = page.next_cursor ?? undefined;
            } while (cursor !== undefined);
            expect(found).toEqual(all.filter(test));
          }),
          { numRuns: 80 },
        );
      },
      120_000,
    );

    own('have the order, the members, the count and the row filter of a GET', async () => {
      const get = await platform.request(
        '/things?size.gte=1&name.in=a,ab&sort=-size,id&fields=id,size&count=exact&page_size=3',
      );
      const body = {
        filter: { size: { gte: 1 }, name: { in: ['a', 'ab'] } },
        sort: ['-size', 'id'],
        fields: ['id', 'size'],
        count: 'exact',
        page_size: 3,
      };
      const [expected, found] = [await bodyOf(get), await bodyOf(await query(body))];
      expect(found).toEqual({ ...expected, next_cursor: found.next_cursor });
      expect(found.total_items).toBe(
        all.filter(({ name, size }) => ['a', 'ab'].includes(name ?? '') && (size ?? 0) >= 1).length,
      );
      const pages = await bodyOf(await query({ filter: body.filter, page: 2, page_size: 3 }, '/numbered'));
      expect(pages).toMatchObject({ page: 2, total_items: found.total_items });
    });

    const method = METHODS.includes('QUERY') ? own : own.skip;
    method('are the body of a QUERY of the collection', async () => {
      const answer = await platform.request('/things', sendJson({ filter: { size: { eq: 3 } } }, 'QUERY'));
      expect(await idsOf(answer)).toEqual(all.filter(({ size }) => size === 3).map(({ id }) => id));
    });

    own.each([
      [{ filter: { hidden: { eq: 1 } } }, '/filter/hidden'],
      [{ filter: { name: { lt: 'a' } } }, '/filter/name/lt'],
      [{ filter: { or: [{ size: { gte: '1' } }] } }, '/filter/or/0/size/gte'],
      [{ filter: { not: { size: { in: [1, 'x'] } } } }, '/filter/not/size/in/1'],
      [{ filter: { not: [{ size: { eq: 1 } }] } }, '/filter/not'],
      [{ filter: { and: [] } }, '/filter/and'],
      [{ filter: {} }, '/filter'],
      [{ filter: { name: { is: 'nothing' } } }, '/filter/name/is'],
      [{ fields: ['id', 'hidden'] }, '/fields/1'],
      [
        { filter: { or: Array.from({ length: 50 }, () => ({ size: { gt: 0, lt: 2 } })) } },
        '/filter/or/25/size',
      ],
      [
        {
          filter: Array.from({ length: 8 }).reduce<object>((inner) => ({ not: inner }), { size: { eq: 1 } }),
        },
        `/filter${'/not'.repeat(8)}`,
      ],
      [{ 'size.gte': 1 }, '/size.gte'],
    ])('refuse %j with a pointer', async (body, pointer) => {
      const answer = await query(body);
      expect(answer.status).toBe(422);
      expect((await bodyOf(answer)).errors).toMatchObject([{ pointer }]);
    });

    own.each([`' OR '1'='1`, `x"; DROP TABLE things; --`, `%`, `\\`])('take %s as a value', async (value) => {
      expect(
        await idsOf(await query({ filter: { or: [{ name: { eq: value } }, { name: { in: [value] } }] } })),
      ).toEqual(all.filter(({ name }) => name === value).map(({ id }) => id));
      for (const body of [
        { filter: { [value]: { eq: 1 } } },
        { filter: { size: { [value]: 1 } } },
        { sort: [value] },
        { fields: [value] },
      ])
        expect((await query(body)).status).toBe(422);
    });

    own('are available in a batch', async () => {
      const operations = [{ method: 'POST', path: '/things/query', body: { filter: { size: { eq: 3 } } } }];
      const answer = await bodyOf(await platform.request('/platform/batch', sendJson({ operations })));
      expect(answer.results).toMatchObject([
        { status: 200, body: { items: all.filter(({ size }) => size === 3) } },
      ]);
    });

    own('are not served where the service says so', async () => {
      expect((await query({}, '/flat')).status).toBe(404);
      expect((await platform.request('/flat')).status).toBe(200);
    });

    own('have a schema in OpenAPI', async () => {
      const document = await bodyOf(
        await platform.request('/platform/documentation/Lists-v1?format=apidesc'),
      );
      const text = JSON.stringify(document.paths);
      expect(text).toContain('"/v1/things/query"');
      expect(text).toContain('#/components/schemas/ThingQueryRequest');
      const { schemas } = document.components as { schemas: Record<string, { properties: object }> };
      expect(Object.keys(schemas.FilterRequest?.properties ?? {})).toEqual([
        'name',
        'size',
        'initial',
        'and',
        'or',
        'not',
      ]);
    });
  });
}

describeOnEachAdapter('nested filters', TABLE, describeFilters);
