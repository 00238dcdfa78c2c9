import type { ConfigObject } from '../../../../../src/framework';
import { DatabaseError } from '../../../../../src/modules/database/adapters/database-error';
import type { ColumnModel } from '../../../../../src/modules/database/introspection/table-model';
import { columnCodec } from '../../../../../src/modules/database/schema/column-codec';
import { failedValues } from '../../../../../src/modules/database/service/problems/failed-values';
import type { GivenValue } from '../../../../../src/modules/database/table/given-value';
import type { TableColumnInfo } from '../../../../../src/modules/database/table/table';
import { growthOf } from '../../../../factories/measure/cpu-time';
import { withPrograms } from '../../../../factories/processes/programs';
import { PostgresServer } from '../../../../factories/database/postgres';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { startTables } from '../../../../factories/database/table-databases';
import type { TestPlatform } from '../../../../factories/platform';

const TABLE = { dialect: 'postgres', foreignKeys: [] } as const;

const column = (name: string, model: Partial<ColumnModel>): TableColumnInfo => {
  const complete: ColumnModel = { type: 'text', declared: 'text', isNullable: true, ...model };
  return {
    name,
    model: complete,
    codec: columnCodec(name, complete, 'postgres'),
    schema: {},
    hasStoredPosition: false,
    isSettable: true,
    isWritable: true,
  } as TableColumnInfo;
};
const NAME = column('name', { declared: 'character varying(20)', maxLength: 20 });
const NUMBER = column('id', { type: 'integer', declared: 'integer' });

const placesOf = async (
  given: readonly GivenValue[],
  error: DatabaseError,
): Promise<readonly string[] | undefined> => (await failedValues(error, given, TABLE))?.map(({ at }) => at);

describe('the values that a failed statement is about', () => {
  it('are found in linear time, also in a text with many spaces', () => {
    const error = new DatabaseError('too_long', 'value too long', { probe: () => [] });
    const find = (size: number) => {
      const value = `a${' '.repeat(size)}b`;
      return failedValues(error, [{ column: NAME, value, at: '/name', isWritten: true }], TABLE);
    };
    expect(growthOf(find, 10_000, 160_000)).toBeLessThan(64);
  });

  it.each([
    ['a text that is too long', 'a'.repeat(21), ['/name']],
    ['a text of as many characters', '😀'.repeat(20), []],
    ['a text with spaces at its end', `${'a'.repeat(20)}   `, []],
    ['a text with spaces inside', `a${' '.repeat(20)}b`, ['/name']],
  ])('are those of a body: %s', async (_, value, expected) => {
    const error = new DatabaseError('too_long', 'value too long', { probe: () => [] });
    expect(await placesOf([{ column: NAME, value, at: '/name', isWritten: true }], error)).toEqual(expected);
    expect(await placesOf([{ column: NAME, value, at: '/filter/name/eq' }], error)).toEqual([]);
  });

  it('are examined with one query for each list', async () => {
    const probe = jest.fn(() => []);
    const error = new DatabaseError('invalid_value', 'out of range', { probe });
    const given = ['/filter/0/in', '/filter/1/in'].flatMap((at) =>
      Array.from({ length: 100 }, (_, value) => ({ column: NUMBER, value, at })),
    );
    expect(await placesOf(given, error)).toEqual([]);
    expect(probe).toHaveBeenCalledTimes(2);
  });
});

const postgres = withPrograms('postgres');
postgres.describe('the values of a failed query of PostgreSQL', () => {
  let server: PostgresServer;
  let platform: TestPlatform;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.adapter().runScripts(['CREATE TABLE p (id INTEGER PRIMARY KEY, name VARCHAR(20))']);
    const service = {
      table_name: 'p',
      route: '/p[/:id]',
      columns: { id: {}, name: {} },
      filters: { id: ['eq', 'in'], name: ['eq'] },
      collection: { GET: {} },
    };
    const adapter = { adapter: 'PostgresAdapter', options: { url: server.url() } };
    platform = await startTables({ services: { Part: service } }, adapter);
  }, 60_000);
  afterAll(async () => {
    await platform.stop();
    await server.close();
  });

  const pointersOf = async (filter: object): Promise<readonly unknown[]> => {
    const response = await platform.request('/p/query', sendJson({ filter }));
    const { errors } = (await bodyOf(response)) as { errors?: readonly { pointer: string }[] };
    return [response.status, ...(errors ?? []).map(({ pointer }) => pointer)];
  };

  postgres.it('are not those of a comparison with a text that is longer than its column', async () => {
    const filter = { id: { eq: 99_999_999_999 }, name: { eq: `a${' '.repeat(100)}b` } };
    expect(await pointersOf(filter)).toEqual([422, '/filter/id/eq']);
  });

  postgres.it('are those of each list with an invalid one', async () => {
    const lists = [
      [1, 2],
      [3, 99_999_999_999, 4],
      [5, 99_999_999_999],
    ];
    const filter = { or: lists.map((list) => ({ id: { in: list } })) };
    expect(await pointersOf(filter)).toEqual([422, '/filter/or/1/id/in', '/filter/or/2/id/in']);
  });

  /** Their places while the connection for such queries executes others, one after the other. */
  const placesWhileBusy = async (
    timeout: number,
    busy: readonly string[],
  ): Promise<readonly string[] | undefined> => {
    const statement = { text: 'SELECT cast($1 as integer)', kind: 'read' } as const;
    const error = await server
      .adapter({ statement_timeout: timeout })
      .execute(statement, ['many'])
      .catch((failed: unknown) => failed as DatabaseError);
    const probe = error instanceof DatabaseError ? error.probe : undefined;
    const queries = Promise.allSettled(busy.map(async (text) => probe?.(text, [])));
    const given = [{ column: NUMBER, value: 99_999_999_999, at: '/id' }];
    const places = await placesOf(given, error as DatabaseError);
    await queries;
    return places;
  };

  postgres.it('are found when the connection for the query becomes free', async () => {
    expect(await placesWhileBusy(60, ['SELECT pg_sleep(2)'])).toEqual(['/id']);
  });

  postgres.it('are unknown while no connection is free for the query', async () => {
    const sleep = 'SELECT pg_sleep(0.8)';
    expect(await placesWhileBusy(1, [sleep, sleep])).toBeUndefined();
  });

  postgres.it(
    'are neither taken for stored ones nor for those of the query while no connection is free for the query',
    async () => {
      // The connection of the failed statement is its only one.
      await server
        .adapter()
        .runScripts([
          "INSERT INTO p VALUES (1, 'none')",
          'CREATE VIEW q AS SELECT id, 1 / (id - 1) AS share FROM p',
          'CREATE ROLE guest LOGIN CONNECTION LIMIT 1',
          'GRANT SELECT ON p, q TO guest',
        ]);
      const url = server.url().replace('admin:secret', 'guest');
      const service = (name: string, columns: ConfigObject) => ({
        table_name: name,
        route: `/${name}[/:id]`,
        entity_identifier_name: 'id',
        columns,
        filters: { id: ['eq'] },
        collection: { GET: {} },
      });
      const limited = await startTables(
        { services: { Part: service('p', { id: {} }), Share: service('q', { id: {}, share: {} }) } },
        { adapter: 'PostgresAdapter', options: { url, pool: 1 } },
      );
      try {
        for (const query of ['/p?id.eq=99999999999', '/q?id.eq=1']) {
          const { status, headers } = await limited.request(query);
          expect([query, status, headers.get('Retry-After')]).toEqual([query, 503, '2']);
        }
      } finally {
        await limited.stop();
      }
    },
  );
});
