import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addKey,
  newKey,
  removeKey,
  type KeyRequest,
} from '../../../../src/modules/mvc-auth/api-keys/edit-keys';
import { readLastUses } from '../../../../src/modules/mvc-auth/api-keys/key-usage';
import type { StoredKey } from '../../../../src/modules/mvc-auth/api-keys/stored-key';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendRaw } from '../../../factories/http/raw-http';
import { basic, bodyOf } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { authentication, CLUB_ADAPTERS, ClubModule } from '../../../fixtures/club-module';
import { PEOPLE } from '../../../fixtures/people';
import type { ConfigObject } from '../../../../src/framework';

const FILE = 'data/api-keys.json';
const ci = newKey({ owner: 'ci', scopes: ['read'], groups: ['machines'] });
const limited = newKey({ owner: 'limited', rateLimit: { limit: 2, window: 600 } });
const expired = newKey({ owner: 'old', expires: new Date('2020-01-02') }, new Date('2020-01-01'));
const fileOf = (...keys: readonly StoredKey[]): string =>
  keys.reduce<Buffer | undefined>((bytes, key) => addKey(FILE, bytes, key), undefined)?.toString() ??
  '{"keys":[]}';

const project = (options: ConfigObject, text = fileOf(ci.stored, limited.stored, expired.stored)) => ({
  modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
  extra: [new ClubModule()],
  files: { ...PEOPLE, [FILE]: text },
  local: authentication(
    {
      keys: { adapter: 'ApiKeyAdapter', options: { keys: FILE, ...options } },
      basic: CLUB_ADAPTERS.basic,
    },
    { Club: 'keys', Annex: ['keys', 'basic'] },
    { Club: { Hall: { GET: ['scope:read'] } }, Annex: { Door: { GET: 'authenticated' } } },
  ),
});

describe('keys in a header field', () => {
  let platform: TestPlatform;
  beforeEach(async () => (platform = await startTestPlatform(project({}))));
  afterEach(() => platform.stop());

  const ask = (headers: Record<string, string>, to = '/club/hall'): Promise<Response> =>
    platform.request(to, { headers });
  const statusOf = async (key: string): Promise<number> => (await ask({ 'X-API-Key': key })).status;
  const change = (edit: (bytes: Buffer) => Buffer): void => {
    const file = path.join(platform.root, FILE);
    writeFileSync(file, edit(readFileSync(file)));
  };
  const until = async (key: string, status: number): Promise<number> => {
    const end = Date.now() + 30_000;
    while ((await statusOf(key)) !== status && Date.now() < end) await delay(20);
    return statusOf(key);
  };

  it('sign their owner in, with scopes and groups', async () => {
    const answer = await ask({ 'X-API-Key': ci.key });
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toMatchObject({ name: 'ci', groups: ['machines'], scopes: ['read'] });
    const refused = await ask({ 'X-API-Key': limited.key });
    expect(refused.status).toBe(403);
    expect(await bodyOf(refused)).toMatchObject({
      detail: 'You do not have permission to do this. Use a token or key with the scope "read".',
    });
    expect((await ask({ 'X-API-Key': ci.key }, '/annex/door')).status).toBe(200);
    expect((await ask({ Authorization: basic('ada', 'password') }, '/annex/door')).status).toBe(200);
  });

  it('are refused alike, whatever is wrong with them', async () => {
    const foreign = newKey({ owner: 'x' }).key;
    const mistyped = `${ci.key.slice(0, -1)}${ci.key.endsWith('0') ? '1' : '0'}`;
    const values = ['', ' ', 'x', foreign, mistyped, expired.key, ci.stored.sha256, ci.stored.id];
    values.push(`${ci.key} ${ci.key}`, `${ci.key},${ci.key}`, 'a'.repeat(12_000), `Bearer ${ci.key}`);
    const bodies = new Set<string>();
    for (const value of values) {
      const answer = await ask({ 'X-API-Key': value });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey realm="API"');
      bodies.add(await answer.text());
    }
    expect(bodies.size).toBe(1);
  });

  it('are not accepted in Authorization, in the query, twice, or together with a password', async () => {
    expect((await ask({ Authorization: `Bearer ${ci.key}` })).status).toBe(401);
    expect((await ask({ Authorization: `ApiKey ${ci.key}` })).status).toBe(401);
    expect((await ask({}, `/club/hall?X-API-Key=${ci.key}`)).status).not.toBe(200);
    const both = { 'X-API-Key': ci.key, Authorization: basic('ada', 'password') };
    expect((await ask(both, '/annex/door')).status).toBe(401);
    const twice = `GET /club/hall HTTP/1.1\r\nHost: a\r\nX-API-Key: ${ci.key}\r\nX-API-Key: ${ci.key}\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(platform.origin, twice)).status).toBe(401);
    const nul = `GET /club/hall HTTP/1.1\r\nHost: a\r\nX-API-Key: ${ci.key}\0\r\nConnection: close\r\n\r\n`;
    expect([400, 401]).toContain((await sendRaw(platform.origin, nul)).status);
  });

  it('are refused as soon as they are revoked, and accepted as soon as they are created', async () => {
    expect(await statusOf(ci.key)).toBe(200);
    change((bytes) => removeKey(FILE, bytes, ci.stored.id));
    expect(await until(ci.key, 401)).toBe(401);
    const added = newKey({ owner: 'new', scopes: ['read'] });
    change((bytes) => addKey(FILE, bytes, added.stored));
    expect(await until(added.key, 200)).toBe(200);
  });

  it('stay valid while their file is damaged or missing', async () => {
    const file = path.join(platform.root, FILE);
    const warned = async (text: string): Promise<void> => {
      const end = Date.now() + 30_000;
      const isWarned = (): boolean => platform.log.lines.some(({ message }) => message.includes(text));
      while (!isWarned() && Date.now() < end) await delay(20);
      expect(platform.log.lines.map(({ message }) => message).join('\n')).toContain(text);
    };
    writeFileSync(file, '{"keys": [');
    await warned('is not JSON');
    expect(await statusOf(ci.key)).toBe(200);
    writeFileSync(file, fileOf(ci.stored));
    await warned('is valid again');
    rmSync(file);
    await warned('does not exist; the keys of the last valid version stay active');
    expect(await statusOf(ci.key)).toBe(200);
  });

  it('are limited to their rate', async () => {
    const annex = (): Promise<Response> => ask({ 'X-API-Key': limited.key }, '/annex/door');
    expect([(await annex()).status, (await annex()).status]).toEqual([200, 200]);
    const answer = await annex();
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(590);
    expect(await bodyOf(answer)).toMatchObject({
      detail: expect.stringContaining('2 requests in 600 seconds for this key') as string,
    });
    expect(await statusOf(ci.key)).toBe(200);
  });

  it('leave when they were used last, at the end at the latest', async () => {
    const before = Date.now();
    await statusOf(ci.key);
    await statusOf(expired.key);
    const file = path.join(platform.root, FILE);
    const keep = readLastUses(file);
    expect(await keep).toEqual(new Map());
    await platform.application.dispose();
    const uses = await readLastUses(file);
    expect([...uses.keys()]).toEqual([ci.stored.id]);
    expect(uses.get(ci.stored.id)).toBeGreaterThanOrEqual(before);
  });

  it('are documented as a key in a header field', async () => {
    const document = await bodyOf(await platform.request('/platform/documentation/Annex?format=apidesc'));
    expect(document).toMatchObject({
      components: { securitySchemes: { keys: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    });
  });
});

describe('keys in another place', () => {
  it('are read from a configured header field, and from a query parameter with a warning', async () => {
    const platform = await startTestPlatform(project({ header: 'X-Club-Key', query: 'club_key' }));
    try {
      const status = async (to: string, headers = {}): Promise<number> =>
        (await platform.request(to, { headers })).status;
      expect(await status('/club/hall', { 'x-club-key': ci.key })).toBe(200);
      expect(await status('/club/hall', { 'X-API-Key': ci.key })).toBe(401);
      expect(await status(`/club/hall?club_key=${ci.key}`)).toBe(200);
      expect(await status(`/club/hall?club_key=${ci.key}&club_key=${ci.key}`)).toBe(401);
      expect(await status(`/club/hall?club_key=${ci.key}`, { 'X-Club-Key': ci.key })).toBe(401);
      expect(await status('/club/hall?club_key=%00')).toBe(401);
      expect(platform.application.warnings.join()).toContain(
        'query accepts keys in the parameter "club_key"',
      );
      expect(JSON.stringify(platform.log.lines)).not.toContain(ci.key);
    } finally {
      await platform.stop();
    }
  });
});

describe('the start with keys', () => {
  const add = (request: KeyRequest): string => fileOf(newKey(request).stored);

  it('fails for a missing or damaged file, and says what to do', async () => {
    expect(await startRefusal(project({ keys: 'data/none.json' }))).toMatch(
      /^config\/autoload\/local\.json:\d+.*"keys": keys: the file .*data\/none\.json does not exist; create it with: npx apidesc-platform key create data\/none\.json --owner NAME$/,
    );
    expect(await startRefusal(project({ keys: 'data' }))).toContain(
      'is a folder; configure the path of a file',
    );
    expect(await startRefusal(project({}, 'ada:{SHA}x'))).toContain('is not JSON');
    expect(await startRefusal(project({}, '[]'))).toContain('is not a key file, { "keys": [ … ] }');
  });

  it.each(['Authorization', 'Proxy-Authorization', 'Cookie', 'Host', 'content-type', 'CONTENT-LENGTH'])(
    'fails for the header field %s, which has a meaning of its own',
    async (header) => {
      expect(await startRefusal(project({ header }))).toContain(
        `header is "${header}", which has a meaning of its own; choose another field`,
      );
    },
  );

  it('fails for a header field whose name is not a token', async () => {
    expect(await startRefusal(project({ header: 'X Key' }))).toContain('options.header');
  });

  it('warns about invalid entries and a file without keys', async () => {
    const invalid = add({ owner: 'ci' }).replace('"owner"', '"ownr"');
    const platform = await startTestPlatform(project({}, invalid));
    try {
      const warnings = platform.application.warnings.join('\n');
      expect(warnings).toContain('keys[0] has the unknown member "ownr"');
      expect(warnings).toContain('has no key: nobody can sign in');
    } finally {
      await platform.stop();
    }
  });
});
