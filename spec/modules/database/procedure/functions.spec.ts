import type { ConfigObject } from '../../../../src/framework';
import type { TestPlatform } from '../../../factories/platform';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { startTables } from '../../../factories/database/table-databases';

const FUNCTIONS = `
  CREATE TABLE things (id integer PRIMARY KEY, name text, result text);
  INSERT INTO things VALUES (1, 'one');
  CREATE FUNCTION totals() RETURNS TABLE (total integer) LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION sizes(OUT size integer) RETURNS SETOF integer LANGUAGE sql AS 'SELECT 1';
  CREATE SCHEMA "my.shop";
  CREATE FUNCTION "my.shop"."the.total"() RETURNS integer LANGUAGE sql AS 'SELECT 7';
  CREATE FUNCTION numbers() RETURNS SETOF integer LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION thing(wanted integer) RETURNS things LANGUAGE sql AS 'SELECT * FROM things WHERE id = wanted';
  CREATE FUNCTION joined(before text, VARIADIC parts text[]) RETURNS text LANGUAGE sql AS
    'SELECT before || array_to_string(parts, before)';
  CREATE FUNCTION added(n integer) RETURNS integer LANGUAGE sql AS 'INSERT INTO things VALUES (n) RETURNING id';
  CREATE PROCEDURE counted(a integer, OUT b integer, INOUT c integer) LANGUAGE plpgsql AS
    'BEGIN INSERT INTO things VALUES (a, c); b := 1; END';
  CREATE PROCEDURE summed(OUT total integer, VARIADIC parts integer[]) LANGUAGE plpgsql AS
    'BEGIN INSERT INTO things VALUES (parts[1], ''many''); total := 1; END';
  CREATE PROCEDURE unnamed(OUT integer) LANGUAGE plpgsql AS 'BEGIN $1 := 1; END';
  CREATE FUNCTION given(a integer DEFAULT 0, b integer DEFAULT 0, "a,b" integer DEFAULT 0) RETURNS text
    LANGUAGE sql AS $$ SELECT concat_ws(' ', $1, $2, $3) $$;
  CREATE FUNCTION stamped() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';`;

const fn = (name: string, more: ConfigObject = {}): ConfigObject => ({
  kind: 'procedure',
  adapter_name: 'db',
  function_name: name,
  route: `/${name}`,
  ...more,
});

const { describe, it } = withPrograms('postgres');
describe('a function of PostgreSQL', () => {
  let server: PostgresServer;
  let platform: TestPlatform;
  const adapter = () => ({ adapter: 'PostgresAdapter', options: { url: server.url() } });
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.adapter().runScripts([FUNCTIONS]);
    platform = await startTables(
      {
        services: {
          Totals: fn('totals'),
          Sizes: fn('sizes'),
          Numbers: fn('numbers'),
          Dotted: fn('"my.shop"."the.total"', { route: '/dotted' }),
          Thing: fn('thing'),
          Given: fn('given'),
          Joined: fn('joined', { read_only: false }),
          Added: fn('added'),
          Counted: fn('counted', { read_only: false }),
          Summed: fn('summed', { read_only: false }),
        },
      },
      adapter(),
    );
  }, 60_000);
  afterAll(async () => {
    await platform.stop();
    await server.close();
  });

  const get = async (to: string): Promise<readonly unknown[]> => {
    const response = await platform.request(to);
    return [response.status, (await response.json()) as unknown];
  };

  it('distinguishes parameters whose names contain what separates names', async () => {
    for (const [query, result] of [
      ['a,b=3', '0 0 3'],
      ['a=1&b=2', '1 2 0'],
    ])
      expect(await (await platform.request(`/given?${query}`)).json()).toBe(result);
  });

  it('with a table of one column has its name', async () => {
    expect(await get('/totals')).toEqual([200, [{ total: 1 }]]);
    expect(await get('/sizes')).toEqual([200, [{ size: 1 }]]);
    expect(await get('/numbers')).toEqual([200, [{ value: 1 }]]);
  });

  it('may have dots in its name and in that of its schema', async () => {
    expect(await get('/dotted')).toEqual([200, 7]);
  });

  it('without the row that it returns is not found', async () => {
    expect(await get('/thing?wanted=1')).toEqual([200, { id: 1, name: 'one', result: null }]);
    expect((await get('/thing?wanted=99'))[0]).toBe(404);
  });

  it('with any number of arguments takes them as a list', async () => {
    const response = await platform.request('/joined', sendJson({ before: '-', parts: ['a', 'b'] }));
    expect([response.status, await response.json()]).toEqual([200, '-a-b']);
  });

  it('that is a procedure needs no values for what it returns', async () => {
    expect((await platform.request('/counted', sendJson({ a: 7, c: 8 }))).status).toBe(204);
    expect(await get('/thing?wanted=7')).toEqual([200, { id: 7, name: '8', result: null }]);
    expect((await platform.request('/summed', sendJson({ parts: [21, 22] }))).status).toBe(204);
    expect(await get('/thing?wanted=21')).toEqual([200, { id: 21, name: 'many', result: null }]);
  });

  it.each([
    ['stamped', '"stamped" is a trigger function, which only triggers can call'],
    ['unnamed', '"unnamed" has parameters without names'],
  ])('that cannot be called is refused at the start: %s', async (name, message) => {
    const refusal = await startRefusal({
      modules: [...HOSTING, 'database'],
      local: {
        'platform-db': { adapters: { db: adapter() } },
        'platform-hosting': {
          apis: {
            Shop: { versions: { '1': { services: { Wrong: fn(name, { read_only: false }) } } } },
          },
        },
      },
    });
    expect(refusal).toContain(message);
  });

  it('that changes data although its service only reads must not be repeated, and the log says what to declare', async () => {
    const response = await platform.request('/added?n=5');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, null]);
    expect(await response.text()).toContain('does not match its database');
    const logged = platform.log.lines.map(
      ({ details, message }) => `${message} ${String(Reflect.get(details, 'err'))}`,
    );
    expect(logged.join('\n')).toContain('Set "read_only": false');
  });
});
