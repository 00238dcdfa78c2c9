import { PostgresServer } from '../../../factories/database/postgres';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { basic } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { ClubModule } from '../../../fixtures/club-module';
import type { ConfigObject } from '../../../../src/framework';

const { describe, it } = withPrograms('postgres');

/** Of the password `secret`. */
const HASH = '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=';
const users: ConfigObject = { db: 'main', table: 'users', name: 'name', hash: 'hash' };

describe('users of a database that is down', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server
      .adapter()
      .runScripts([
        `CREATE TABLE users (name text UNIQUE, hash text); INSERT INTO users VALUES ('ada', '${HASH}')`,
      ]);
  }, 60_000);
  afterAll(() => server.close());

  const start = (): Promise<TestPlatform> =>
    startTestPlatform({
      modules: [...HOSTING, 'database'],
      extra: [new ClubModule()],
      local: {
        'platform-db': { adapters: { main: { adapter: 'PostgresAdapter', options: { url: server.url() } } } },
        'platform-mvc-auth': {
          authentication: {
            adapters: {
              table: { adapter: 'HttpAdapter', options: { accept_schemes: ['basic'], realm: 'r', users } },
            },
          },
          authorization: {},
        },
      },
    });
  const ask = (platform: TestPlatform, name: string): Promise<Response> =>
    platform.request('/club/board', { headers: { Authorization: basic(name, 'secret') } });
  const until = async (platform: TestPlatform, status: number): Promise<Response> => {
    const end = Date.now() + 60_000;
    for (;;) {
      const answer = await ask(platform, 'ada');
      if (answer.status === status || Date.now() > end) return answer;
      await new Promise((done) => setTimeout(done, 100));
    }
  };

  it('responds with 503 and Retry-After to known and unknown users, and recovers', async () => {
    const platform = await start();
    try {
      expect((await ask(platform, 'ada')).status).toBe(200);
      await server.stop();
      // A user who was read recently signs in for some seconds more.
      const unavailable = await until(platform, 503);
      const unknown = await ask(platform, 'nobody');
      for (const answer of [unavailable, unknown]) {
        expect(answer.status).toBe(503);
        expect(answer.headers.get('retry-after')).toBe('2');
        expect(answer.headers.get('www-authenticate')).toBeNull();
      }
      expect((await platform.request('/club/board')).status).toBe(401);
      const warnings = platform.log.lines.filter(({ message }) => message.includes('cannot be read'));
      expect(warnings.map(({ message }) => message)).toEqual([
        expect.stringContaining(
          'Authentication adapter "table": the table "users" of the database "main" cannot be read',
        ),
      ]);
      await server.start();
      expect((await until(platform, 200)).status).toBe(200);
    } finally {
      await platform.stop();
    }
  }, 120_000);

  it('lets the platform start, and signs users in as soon as the database is up', async () => {
    await server.stop();
    const platform = await start();
    try {
      expect((await ask(platform, 'ada')).status).toBe(503);
      await server.start();
      expect((await until(platform, 200)).status).toBe(200);
    } finally {
      await platform.stop();
    }
  }, 120_000);
});
