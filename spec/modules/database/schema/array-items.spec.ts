import { bodyOf, sendJson } from '../../../factories/http/requests';
import { columnCodec } from '../../../../src/modules/database/schema/column-codec';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

/** Arrays with null, as literals of PostgreSQL and as JSON. */
const ARRAYS: readonly (readonly [type: string, literal: string, items: readonly unknown[]])[] = [
  ['integer', '{1,NULL,2}', [1, null, 2]],
  ['bigint', '{9007199254740993,NULL}', ['9007199254740993', null]],
  ['numeric', '{NULL,0.10}', [null, '0.10']],
  ['double precision', '{0.5,NULL}', [0.5, null]],
  ['text', '{a,NULL,"NULL"}', ['a', null, 'NULL']],
  ['boolean', '{t,NULL}', [true, null]],
  ['date', '{2026-01-31,NULL}', ['2026-01-31', null]],
  ['timestamptz', '{NULL,2026-01-31T10:30:00Z}', [null, '2026-01-31T10:30:00Z']],
  ['uuid', '{6f0d1c1e-9f5c-7a39-8c0f-0d2a9c1f7b11,NULL}', ['6f0d1c1e-9f5c-7a39-8c0f-0d2a9c1f7b11', null]],
  ['interval', '{P1D,NULL}', ['P1D', null]],
  ['color', '{red,NULL}', ['red', null]],
  ['jsonb', '{NULL,"{\\"a\\": 1}"}', [null, { a: 1 }]],
  ['real', '{0.5,NaN,-Infinity}', [0.5, null, null]],
];

onEachDatabase(({ it, dialect, start }) => {
  if (dialect === 'sqlite') {
    it('SQLite has no arrays: a column declared as one has values of a type that clients can only read', async () => {
      const { application } = await start({
        script: 'CREATE TABLE lists (id INTEGER PRIMARY KEY, words "GEOMETRY[]")',
        services: {
          List: {
            table_name: 'lists',
            route: '/lists[/:id]',
            columns: { id: {}, words: {} },
            collection: { POST: {} },
          },
        },
      });
      expect(application.warnings.join()).toContain('whose values clients can read and not write');
    });
    return;
  }
  let platform: TablePlatform;
  beforeAll(async () => {
    const columns = ARRAYS.map((_, at) => `c${at}`);
    platform = await start({
      modules: ['documentation', 'documentation-formats'],
      script: `CREATE TYPE color AS ENUM ('red', 'green');
        CREATE TYPE place AS (street TEXT, number INTEGER);
        CREATE TABLE homes (id INTEGER PRIMARY KEY, place place, places place[]);
        INSERT INTO homes VALUES (1, ('Main Street', 1), ARRAY[('Main Street', 1)::place, NULL]);
        CREATE TABLE grids (id INTEGER PRIMARY KEY, cells INTEGER[][], words TEXT[][] NOT NULL);
        CREATE TABLE documents (id INTEGER PRIMARY KEY, data JSONB[][]);
        INSERT INTO documents VALUES (1, ARRAY['[1,2]'::jsonb, '[3]'::jsonb]);
        INSERT INTO grids VALUES (1, '{{1,NULL},{3,4}}', '{{"a,b","NULL"},{"{c}",""}}'), (2, NULL, '{a,NULL}');
        CREATE TABLE lists (id INTEGER PRIMARY KEY, words TEXT[], ${ARRAYS.map(([type], at) => `c${at} ${type}[] NOT NULL DEFAULT '{}'`).join(', ')});
        INSERT INTO lists (id, ${columns.join(', ')}) VALUES (1, ${ARRAYS.map(([, literal]) => `'${literal}'`).join(', ')});`,
      services: {
        Home: {
          table_name: 'homes',
          route: '/homes[/:id]',
          columns: { id: {}, place: {}, places: {} },
          entity: { GET: {} },
        },
        Document: {
          table_name: 'documents',
          route: '/documents[/:id]',
          columns: { id: {}, data: {} },
          entity: { GET: {}, PUT: {} },
        },
        Grid: {
          table_name: 'grids',
          route: '/grids[/:id]',
          columns: { id: {}, cells: {}, words: {} },
          entity: { GET: {}, PUT: {}, PATCH: {} },
        },
        List: {
          table_name: 'lists',
          route: '/lists[/:id]',
          columns: {
            id: {},
            words: { schema: { items: { type: 'string' } } },
            ...Object.fromEntries(columns.map((name) => [name, {}])),
          },
          collection: { GET: { stream: ['application/x-ndjson'] }, POST: {} },
          entity: { GET: {}, PATCH: {} },
        },
      },
    });
  }, 60_000);
  const expected = Object.fromEntries(ARRAYS.map(([, , items], at) => [`c${at}`, items]));

  it('null items of arrays are in responses, and lines of streams', async () => {
    expect(await bodyOf(await platform.request('/lists/1'))).toEqual({ id: 1, words: null, ...expected });
    const streamed = await platform.request('/lists', { headers: { Accept: 'application/x-ndjson' } });
    expect(await bodyOf(streamed)).toMatchObject(expected);
  });

  it('items of types that clients can only read are their texts, like single values', async () => {
    expect(await bodyOf(await platform.request('/homes/1'))).toEqual({
      id: 1,
      place: '("Main Street",1)',
      places: ['("Main Street",1)', null],
    });
  });

  it('null items are written, and read again', async () => {
    const made = await platform.request('/lists', sendJson({ id: 2, ...expected }));
    expect([made.status, await bodyOf(made)]).toEqual([201, { id: 2, words: null, ...expected }]);
    const patched = await platform.request('/lists/2', sendJson({ c0: [null] }, 'PATCH'));
    expect([patched.status, (await bodyOf(patched)).c0]).toEqual([200, [null]]);
  });

  it('arrays of several dimensions are sent as they were received', async () => {
    for (const [id, cells, words] of [
      [
        1,
        [
          [1, null],
          [3, 4],
        ],
        [
          ['a,b', 'NULL'],
          ['{c}', ''],
        ],
      ],
      [2, null, ['a', null]],
    ] as const) {
      const entity = await bodyOf(await platform.request(`/grids/${id}`));
      expect(entity).toEqual({ id, cells, words });
      for (const method of ['PUT', 'PATCH']) {
        const sent = await platform.request(`/grids/${id}`, sendJson(entity, method));
        expect([method, sent.status, await bodyOf(sent)]).toEqual([method, 200, entity]);
      }
    }
    for (const body of [
      { cells: [[1], [2, 3]] },
      { cells: [['x']] },
      { cells: [1, [2]] },
      { cells: [[[1]]] },
      { words: [[{ a: 1 }]] },
    ]) {
      const refused = await platform.request('/grids/1', sendJson(body, 'PATCH'));
      const pointer = expect.stringMatching(`^/${Object.keys(body).join()}`) as string;
      expect([body, refused.status, (await bodyOf(refused)).errors]).toMatchObject([
        body,
        422,
        [{ pointer }],
      ]);
    }
  });

  it('lists in arrays of JSON are JSON beyond the declared dimensions, or with other lengths', () => {
    const model = { type: 'json', isArray: true, declared: 'jsonb[]', isNullable: false } as const;
    const parameterOf = (value: unknown, dimensions?: number): unknown =>
      columnCodec(
        'data',
        dimensions === undefined ? model : { ...model, dimensions },
        'postgres',
      ).toParameter(value);
    expect(parameterOf([[1, 2], [3]])).toBe('{"[1,2]","[3]"}');
    expect(parameterOf([[1, 2], [3]], 2)).toBe('{"[1,2]","[3]"}');
    expect(parameterOf([[], []], 2)).toBe('{"[]","[]"}');
    expect(
      parameterOf(
        [
          [1, null],
          [3, 4],
        ],
        2,
      ),
    ).toBe('{{"1",NULL},{"3","4"}}');
    expect(parameterOf([[[1, 2]], [[3]]], 2)).toBe('{{"[1,2]"},{"[3]"}}');
  });

  it('arrays of JSON lists are sent as they were received', async () => {
    const entity = await bodyOf(await platform.request('/documents/1'));
    const sent = await platform.request('/documents/1', sendJson(entity, 'PUT'));
    expect([sent.status, await bodyOf(sent)]).toEqual([200, { id: 1, data: [[1, 2], [3]] }]);
  });

  it('lists in other arrays are dimensions, also where their number is not known', () => {
    const model = { type: 'integer', isArray: true, declared: 'integer[]', isNullable: false } as const;
    expect(columnCodec('cells', model, 'postgres').toParameter([[1], [2]])).toBe('{{"1"},{"2"}}');
  });

  it('a NOT NULL column rejects null, and other items are 422 with a pointer', async () => {
    for (const [value, pointer] of [
      [{ c0: null }, '/c0'],
      [{ c0: [1, 'x'] }, '/c0/1'],
      [{ c10: ['blue'] }, '/c10/0'],
      [{ words: ['a', null] }, '/words/1'],
    ] as const) {
      const refused = await platform.request('/lists', sendJson({ id: 3, ...value }));
      expect([refused.status, (await bodyOf(refused)).errors]).toMatchObject([422, [{ pointer }]]);
    }
  });

  it('null items are documented', async () => {
    const document = await bodyOf(
      await platform.request('/platform/documentation/Tables-v1', {
        headers: { Accept: 'application/vnd.apidesc+json' },
      }),
    );
    const text = JSON.stringify(document);
    expect(text).toContain('"c4":{"type":"array","items":{"type":["string","null"]}');
    expect(text).toMatch(/"c10":\{"type":"array","items":\{[^}]*"enum":\["red","green",null\]/);
    expect(text).toContain('"words":{"type":["array","null"],"items":{"type":"string"}');
  });
});
