import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RequestMetrics } from '../../../../src/modules/operations';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendRaw } from '../../../factories/http/raw-http';
import { BearerModule } from '../../../fixtures/bearer-module';
import { authentication, ClubModule } from '../../../fixtures/club-module';
import { KeyModule } from '../../../fixtures/key-module';

const KEYS = { reader: ['read'], writer: ['read', 'write'], nobody: [] };

describe('credentials outside Authorization', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      modules: [
        ...HOSTING,
        'operations',
        'hal',
        'documentation',
        'documentation-apidesc',
        'documentation-formats',
      ],
      extra: [new KeyModule(), new BearerModule(), new ClubModule()],
      local: {
        ...authentication(
          {
            keys: { adapter: 'KeyAdapter', options: { header: 'X-API-Key', query: 'api_key', keys: KEYS } },
            token: { adapter: 'BearerAdapter', options: { realm: 'Club', tokens: { s3cret: 'ada' } } },
          },
          { Club: ['keys', 'token'], '@documentation': 'keys' },
          {
            Club: {
              Members: { GET: ['scope:write', '@staff'] },
              Note: { collection: { GET: 'authenticated' } },
            },
          },
        ),
        'platform-hosting': {
          apis: {
            Club: {
              cors: { origins: ['https://shop.example'] },
              versions: { 2: { services: { Note: { selector: 'HalJson' } } } },
            },
          },
        },
        'platform-operations': { access_log: { enabled: true, file: 'access.log' } },
      },
    });
  });
  afterAll(() => platform.stop());

  const ask = (target: string, headers: Record<string, string> = {}): Promise<Response> =>
    platform.request(target, { headers });

  it('are read from the header field of an adapter, whatever its case', async () => {
    const answer = await ask('/club/hall', { 'x-api-key': 'reader' });
    expect(await bodyOf(answer)).toMatchObject({ name: 'reader', isGuest: false, scopes: ['read'] });
  });

  it('are read from the query, which then lacks them: it is validated, and links repeat it', async () => {
    const answer = await ask('/club/notes?api_key=reader', { Accept: 'application/hal+json' });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('/club/notes');
    expect(text).not.toContain('reader');
    expect((await ask('/club/notes?apikey=reader')).status).toBe(401);
    expect((await ask('/club/notes?api_key=reader&more=1')).status).toBe(400);
  });

  it('are refused when wrong or empty, also where guests may read', async () => {
    for (const key of ['wrong', '', 'x'.repeat(8_000)]) {
      const answer = await ask('/club/hall', { 'X-API-Key': key });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('ApiKey realm="Keys", error="unknown_key"');
      expect(Object.keys(await bodyOf(answer))).toEqual(['type', 'title', 'status', 'detail']);
    }
    expect((await ask('/club/hall?api_key=')).status).toBe(401);
    expect((await ask('/club/hall')).status).toBe(200);
  });

  it('are challenged without an error if there are none', async () => {
    const answer = await ask('/club/board');
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey realm="Keys", Bearer realm="Club"');
  });

  it.each([
    ['a key and a token', 'X-API-Key: reader\r\nAuthorization: Bearer s3cret', ''],
    ['a key and a wrong token', 'X-API-Key: reader\r\nAuthorization: Bearer wrong', ''],
    ['a key in the field and in the query', 'X-API-Key: reader', '?api_key=reader'],
    ['two fields', 'X-API-Key: reader\r\nx-api-key: reader', ''],
    ['two parameters', 'Accept: */*', '?api_key=reader&api_key=reader'],
    ['an encoded parameter and another', 'Accept: */*', '?api%5Fkey=reader&api_key=reader'],
  ])('are refused if there are two, even if both are correct: %s', async (_, fields, query) => {
    const { status } = await sendRaw(
      platform.origin,
      `GET /club/hall${query} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\nConnection: close\r\n\r\n`,
    );
    expect(status).toBe(401);
  });

  it('keep responses out of shared caches', async () => {
    const answer = await ask('/club/hall', { 'X-API-Key': 'reader' });
    expect(answer.headers.get('vary')).toContain('X-API-Key');
    expect(answer.headers.get('cache-control')).toBe('private');
    const inQuery = await ask('/club/hall?api_key=reader');
    expect(inQuery.headers.get('cache-control')).toBe('private');
    const open = await ask('/club/hall');
    expect(open.headers.get('vary')).toContain('X-API-Key');
    expect(open.headers.get('cache-control')).toBeNull();
    const page = await ask('/platform/documentation');
    expect(page.headers.get('vary')?.split(', ')).toEqual(
      expect.arrayContaining(['Authorization', 'X-API-Key']),
    );
  });

  it('are allowed in requests from browsers', async () => {
    const answer = await platform.request('/club/hall', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-api-key',
      },
    });
    expect(answer.headers.get('access-control-allow-headers')).toContain('X-API-Key');
  });

  it('are counted by adapter', async () => {
    const before = countsOf(platform);
    await ask('/club/hall', { 'X-API-Key': 'reader' });
    await ask('/club/hall?api_key=wrong');
    const after = countsOf(platform);
    expect(after.success - before.success).toBe(1);
    expect(after.failure - before.failure).toBe(1);
  });

  it('receive a 503 while their source cannot be reached', async () => {
    const answer = await ask('/club/hall', { 'X-API-Key': 'down' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('7');
  });

  it('are never logged', async () => {
    await ask('/club/hall?api_key=writer');
    await ask('/club/nowhere?api_key=writer');
    const lines = readFileSync(path.join(platform.root, 'access.log'), 'utf8');
    expect(lines).toContain('"path":"/club/hall"');
    expect(lines + JSON.stringify(platform.log.lines)).not.toContain('api_key');
  });

  describe('and scopes in rules', () => {
    it('permit users with one of them', async () => {
      expect((await ask('/club/members', { 'X-API-Key': 'writer' })).status).toBe(200);
    });

    it('refuse others, with the challenge of Bearer', async () => {
      for (const fields of [{ 'X-API-Key': 'reader' }, { Authorization: 'Bearer s3cret' }]) {
        const answer = await ask('/club/members', fields);
        expect(answer.status).toBe(403);
        expect(answer.headers.get('www-authenticate')).toBe(
          'Bearer realm="Club", error="insufficient_scope", scope="write"',
        );
      }
      expect(
        (await ask('/club/board', { 'X-API-Key': 'reader' })).headers.get('www-authenticate'),
      ).toBeNull();
    });

    it('are neither names nor groups', async () => {
      expect((await ask('/club/members', { 'X-API-Key': 'nobody' })).status).toBe(403);
    });
  });

  it('are documented in every format', async () => {
    const page = await (await ask('/platform/documentation/Club/Note?format=html')).text();
    expect(page).toContain('an API key in the header field <code>X-API-Key</code>');
    expect(page).toContain('an API key in the query parameter <code>api_key</code>');
    expect(page).toContain('X-API-Key: API_KEY');
    const document = await bodyOf(await ask('/platform/documentation/Club?format=apidesc'));
    expect(document).toMatchObject({
      components: {
        securitySchemes: {
          'keys-header-X-API-Key': { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          'keys-query-api_key': { type: 'apiKey', in: 'query', name: 'api_key' },
          token: {
            type: 'http',
            scheme: 'bearer',
            description: expect.stringMatching(/^HTTP Bearer \(RFC 6750\), realm "Club"\. /) as string,
          },
        },
      },
    });
    const swagger = await bodyOf(
      await ask('/platform/documentation/Club', { Accept: 'application/vnd.swagger+json' }),
    );
    expect(swagger).toMatchObject({
      securityDefinitions: {
        'keys-query-api_key': { type: 'apiKey', in: 'query', name: 'api_key' },
        token: { type: 'apiKey', in: 'header', name: 'Authorization' },
      },
    });
    const markdown = await (await ask('/platform/documentation/Club', { Accept: 'text/markdown' })).text();
    expect(markdown).toContain('an API key in the header field `X-API-Key`');
  });

  it('are documented as optional where guests may read', async () => {
    const optional = 'Credentials are optional: an API key in the header field';
    const page = await (await ask('/platform/documentation/Club/Hall?format=html')).text();
    expect(page).toContain(`${optional} <code>X-API-Key</code>`);
    const markdown = await (await ask('/platform/documentation/Club/Hall?format=markdown')).text();
    expect(markdown).toContain(`Public. ${optional} \`X-API-Key\``);
  });
});

/** The counted results of the adapter `keys`. */
function countsOf({ application }: TestPlatform): { readonly success: number; readonly failure: number } {
  const outcomes = application.sharedState.find(RequestMetrics)?.authentications.get('keys');
  return { success: outcomes?.get('success') ?? 0, failure: outcomes?.get('failure') ?? 0 };
}
