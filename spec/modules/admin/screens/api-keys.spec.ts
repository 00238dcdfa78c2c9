import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addKey, newKey } from '../../../../src/modules/mvc-auth';
import { ADMIN, PASSWORD, startAdminPlatform, WITH_ADMIN } from '../../../factories/admin/admin';
import { textOf } from '../../../factories/admin/admin-pages';
import { basic, bodyOf, sendJson } from '../../../factories/http/requests';
import { reusedPlatform } from '../../../factories/reused-platform';
import { ClubModule } from '../../../fixtures/club-module';

const FILE = 'data/api-keys.json';
const API = `${ADMIN}/api/v1/adapters/machines/keys`;
const AS_ADA = { Authorization: basic('ada', PASSWORD) };
const ci = newKey({ owner: 'ci', scopes: ['read'] });
const old = newKey({ owner: 'old', expires: new Date('2020-01-02') }, new Date('2020-01-01'));
interface KeyFile {
  readonly keys: string;
  readonly files: Readonly<Record<string, string>>;
}
const KEYS: KeyFile = {
  keys: FILE,
  files: { [FILE]: addKey(FILE, addKey(FILE, undefined, ci.stored), old.stored).toString() },
};

const { platform, restart } = reusedPlatform(({ keys, files }: KeyFile = KEYS) => {
  const machines = { adapter: 'ApiKeyAdapter', options: { keys } };
  const authentication = { adapters: { machines }, map: { Club: 'machines' } };
  return startAdminPlatform({
    modules: WITH_ADMIN,
    extra: [new ClubModule()],
    files,
    local: { 'platform-mvc-auth': { authentication } },
  });
});

const page = async (below: string): Promise<string> => (await platform.ada.get(below)).text();
const fileText = (): string => readFileSync(path.join(platform.root, FILE), 'utf8');
const auditText = (): string => readFileSync(path.join(platform.root, 'data/audit.log'), 'utf8');
/** A request with a key: changes apply when the response to them has arrived. */
const statusOf = async (key: string): Promise<number> =>
  (await platform.request('/v1/club/members', { headers: { 'X-API-Key': key } })).status;

describe('a key file that the configuration names', () => {
  it('is changed in any folder of the project', async () => {
    const keys = 'machines/keys.json';
    await restart({ keys, files: { [keys]: addKey(FILE, undefined, ci.stored).toString() } });
    const created = await platform.request(API, sendJson({ owner: 'robot' }, 'POST', AS_ADA));
    expect(created.status).toBe(201);
  });

  it('is neither shown nor changed outside of the project, where its keys are valid', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'keys-'));
    const file = path.join(folder, 'keys.json');
    const text = addKey(FILE, undefined, ci.stored).toString();
    writeFileSync(file, text);
    try {
      await restart({ ...KEYS, keys: file });
      expect(await statusOf(ci.key)).toBe(200);
      const answers = [
        await platform.request(API, { headers: AS_ADA }),
        await platform.request(API, sendJson({ owner: 'robot' }, 'POST', AS_ADA)),
        await platform.request(`${API}/${ci.stored.id}`, { method: 'DELETE', headers: AS_ADA }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(422);
        expect(await bodyOf(answer)).toMatchObject({ errors: [{ pointer: '/file' }] });
      }
      expect((await platform.ada.get('/api-keys/keys?adapter=machines')).status).toBe(422);
      expect(readFileSync(file, 'utf8')).toBe(text);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the pages of API keys', () => {
  it('list the adapters and their keys, without hashes', async () => {
    expect(textOf(await page('/api-keys'))).toContain('machines data/api-keys.json');
    const html = await page('/api-keys/keys?adapter=machines');
    expect(textOf(html)).toMatch(
      new RegExp(`${old.stored.id} expired old .* ${ci.stored.id} ci read – – never not yet`),
    );
    expect(html).not.toContain(ci.stored.sha256);
    const found = await page('/api-keys/keys?adapter=machines&search=CI');
    expect(found).toContain(ci.stored.id);
    expect(found).not.toContain(old.stored.id);
    expect((await platform.ada.get('/api-keys/keys?adapter=none')).status).toBe(404);
  });

  it('limit the requests of a key, and show what is wrong with a limit at its field', async () => {
    const to = '/api-keys/keys?adapter=machines';
    const created = await platform.ada.post(to, { owner: 'slow', limit: '2', window: '3600' });
    const key = /class="created-key">([^<]+)</.exec(await created.text())?.[1] ?? '';
    expect(textOf(await page(to))).toContain('2 per 3600 s');
    for (const status of [200, 200]) expect(await statusOf(key)).toBe(status);
    const refused = await platform.request('/v1/club/members', { headers: { 'X-API-Key': key } });
    expect(refused.status).toBe(429);
    await platform.ada.post(to, { owner: 'default', limit: '100' });
    expect(textOf(await page(to))).toContain('100 per 60 s');
    for (const [field, sent] of [
      ['limit', { limit: '0' }],
      ['limit', { limit: '1.5', window: '60' }],
      ['limit', { window: '60' }],
      ['window', { limit: '10', window: '-1' }],
    ] as const) {
      const html = await (await platform.ada.post(to, { owner: 'wrong', ...sent })).text();
      expect(html).toContain(`id="${field}-error"`);
    }
    expect(fileText()).not.toContain('"wrong"');
  });

  it('create a key, show it once, and record who did it', async () => {
    const to = '/api-keys/keys?adapter=machines';
    const created = await platform.ada.post(to, {
      owner: 'robot',
      scopes: 'read, write',
      groups: 'staff',
      expires: '30d',
    });
    expect(created.status).toBe(200);
    expect(created.headers.get('cache-control')).toContain('no-store');
    const key = /class="created-key">([^<]+)</.exec(await created.text())?.[1] ?? '';
    expect(await statusOf(key)).toBe(200);
    expect(await page(to)).not.toContain(key);
    expect(fileText()).not.toContain(key);
    expect(auditText()).toMatch(/"api_key_change".*Created an API key\./);
    expect(auditText()).toContain(`${key.slice(0, 16)} (robot)`);
    expect(auditText()).not.toContain(key);
  });

  it('show the form again for invalid fields', async () => {
    const post = async (fields: Record<string, string>): Promise<string> => {
      const answer = await platform.ada.post('/api-keys/keys?adapter=machines', { owner: 'x', ...fields });
      expect(answer.status).toBe(422);
      return textOf(await answer.text());
    };
    const before = fileText();
    expect(await post({ owner: '' })).toContain('The owner is empty.');
    expect(await post({ expires: 'soon' })).toContain('is not a time of expiry');
    expect(await post({ scopes: 'a"b' })).toContain('The scope');
    expect(fileText()).toBe(before);
  });

  it('revoke a key after a review', async () => {
    const to = `/api-keys/revoke?${new URLSearchParams({ adapter: 'machines', id: ci.stored.id }).toString()}`;
    expect(textOf(await page(to))).toContain(`Revoke ${ci.stored.id}? The key of ci.`);
    expect(await statusOf(ci.key)).toBe(200);
    const done = await platform.ada.save(to, {});
    expect(done.headers.get('location')).toBe(`${ADMIN}/api-keys/keys?adapter=machines`);
    expect(fileText()).not.toContain(ci.stored.id);
    expect(await statusOf(ci.key)).toBe(401);
    expect(auditText()).toMatch(/"api_key_change".*Revoked an API key\./);
    expect((await platform.ada.save(to, {})).status).toBe(404);
  });
});

describe('the admin API of keys', () => {
  const get = (below = ''): Promise<Response> => platform.request(API + below, { headers: AS_ADA });

  it('creates, lists and revokes keys', async () => {
    const request = { owner: 'robot', scopes: ['read'], expires: '1y', rate_limit: { limit: 5, window: 60 } };
    const created = await platform.request(API, sendJson(request, 'POST', AS_ADA));
    expect(created.status).toBe(201);
    const body = await bodyOf(created);
    const key = String(body.key);
    expect(body).toMatchObject({
      id: key.slice(0, 16),
      owner: 'robot',
      rate_limit: { limit: 5, window: 60 },
      last_used: null,
    });
    expect(await statusOf(key)).toBe(200);
    const shown = await bodyOf(await get(`/${key.slice(0, 16)}`));
    // The use just now, although uses are written once a minute.
    expect(shown).toMatchObject({ owner: 'robot', key: null, last_used: expect.any(String) as string });
    const list = await (await get()).text();
    expect(list).toContain(ci.stored.id);
    expect(list).not.toContain(ci.stored.sha256);
    const gone = await platform.request(`${API}/${key.slice(0, 16)}`, { method: 'DELETE', headers: AS_ADA });
    expect(gone.status).toBe(204);
    expect(await statusOf(key)).toBe(401);
  });

  it('refuses guests, invalid fields, and what does not exist', async () => {
    expect((await platform.request(API)).status).toBe(401);
    const invalid = await platform.request(API, sendJson({ owner: 'x', expires: 'soon' }, 'POST', AS_ADA));
    expect(invalid.status).toBe(422);
    expect(await bodyOf(invalid)).toMatchObject({ errors: [{ pointer: '/expires' }] });
    expect((await platform.request(API, sendJson({}, 'POST', AS_ADA))).status).toBe(422);
    expect((await get('/apidesc_00000000')).status).toBe(404);
    const unknown = await platform.request(`${API}/apidesc_00000000`, { method: 'DELETE', headers: AS_ADA });
    expect(unknown.status).toBe(404);
    expect((await platform.request(API.replace('machines', 'people'), { headers: AS_ADA })).status).toBe(404);
  });
});
