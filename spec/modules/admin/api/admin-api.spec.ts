import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalConfiguration, type ConfigObject } from '../../../../src/framework';
import { PASSWORD, startAdminPlatform } from '../../../factories/admin/admin';
import { DigestClient } from '../../../factories/sign-in/digest-client';
import { basic, bodyOf, sendJson } from '../../../factories/http/requests';
import { reusedPlatform } from '../../../factories/reused-platform';
import { PEOPLE, peopleAdapter } from '../../../fixtures/people';

const API = '/platform/admin/api/v1';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };

const { platform, restart } = reusedPlatform((local: ConfigObject = {}) =>
  startAdminPlatform({ files: PEOPLE, local }),
);

const get = (below: string): Promise<Response> => platform.request(API + below, { headers: AS_ADA });
const send = (
  method: string,
  below: string,
  value?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  platform.request(
    API + below,
    value === undefined
      ? { method, headers: { ...AS_ADA, ...headers } }
      : sendJson(value, method, { ...AS_ADA, ...headers }),
  );

const local = (): unknown =>
  JSON.parse(readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8'));

const people = { name: 'people', ...peopleAdapter() };

describe('The admin API', () => {
  it('is for administrators only and sends a challenge', async () => {
    const guest = await platform.request(`${API}/adapters`);
    expect(guest.status).toBe(401);
    expect(guest.headers.get('www-authenticate')).toMatch(/^Basic realm="Administrators"/);
    const wrong = await platform.request(`${API}/adapters`, {
      headers: { Authorization: basic('ada', 'wrong') },
    });
    expect(wrong.status).toBe(401);
    expect((await get('/adapters')).status).toBe(200);
  });

  it('does not accept the session cookie, which browsers send on behalf of other sites', async () => {
    const answer = await platform.request(`${API}/reload`, {
      method: 'POST',
      headers: { Cookie: platform.ada.cookie ?? '' },
    });
    expect(answer.status).toBe(401);
  });

  it.each([
    [200, {}],
    [200, { 'Sec-Fetch-Site': 'none' }],
    [200, { 'Sec-Fetch-Site': 'same-origin', Origin: 'SELF' }],
    // A proxy has changed "Host".
    [200, { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://admin.example' }],
    [403, { 'Sec-Fetch-Site': 'cross-site' }],
    [403, { 'Sec-Fetch-Site': 'same-site' }],
    [403, { Origin: 'http://evil.example' }],
    [403, { Origin: 'null' }],
    [403, { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://evil.example' }],
  ])('responds with %i to a request that changes something from the page %j', async (status, sent) => {
    const fields = Object.entries(sent).map(([name, value]) => [
      name,
      value === 'SELF' ? platform.origin : value,
    ]);
    const headers = Object.fromEntries(fields) as Record<string, string>;
    const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '0' };
    expect((await send('POST', '/reload', undefined, form)).status).toBe(status);
    const created = await send('POST', '/adapters', people, headers);
    expect(created.status).toBe(status === 200 ? 201 : 403);
    if (status !== 200)
      expect(await bodyOf(created)).toMatchObject({
        type: expect.stringContaining('cross_origin_request') as string,
      });
    const read = await platform.request(`${API}/adapters`, { headers: { ...AS_ADA, ...headers } });
    expect(read.status).toBe(200);
  });

  it('responds to pages of the origins that its CORS policy lists', async () => {
    const cors = { origins: ['https://desk.example'], credentials: true };
    await restart({ 'platform-hosting': { apis: { Admin: { cors } } } });
    const from = async (origin: string): Promise<number> =>
      (await send('POST', '/reload', undefined, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' })).status;
    expect(await from('https://desk.example')).toBe(200);
    expect(await from('https://evil.example')).toBe(403);
  });

  it('is documented for administrators and hidden from guests', async () => {
    expect((await platform.request('/platform/documentation/Admin')).status).toBe(401);
    const shown = await platform.request('/platform/documentation/Admin', {
      headers: { ...AS_ADA, Accept: 'application/vnd.apidesc+json' },
    });
    expect(Object.keys((await bodyOf(shown)).paths as object)).toContain(`${API}/adapters/{adapter_name}`);
    expect(await (await platform.request('/platform/documentation')).text()).not.toContain('Admin');
    expect(await (await platform.request('/.well-known/api-catalog')).text()).not.toContain('Admin');
  });

  it('never returns a hash', async () => {
    for (const below of [
      '/administrators',
      '/password-files/config%2Fpeople.htpasswd/users',
      '/configuration',
    ]) {
      expect(await (await get(below)).text()).not.toMatch(/\$2[aby]\$|\{SHA\}/);
    }
  });
});

describe('Adapters', () => {
  it('are created and guard the mapped API immediately', async () => {
    const created = await send('POST', '/adapters', people);
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`${API}/adapters/people`);
    expect(await bodyOf(created)).toMatchObject({ ...people, type: 'Basic', used_by: [] });
    expect((await send('PUT', '/map/Atlas-v1', { adapters: ['people'] })).status).toBe(200);
    const refused = await platform.request('/v1/atlas/visits');
    expect(refused.headers.get('www-authenticate')).toMatch(/realm="People"/);
    expect(
      (await platform.request('/v1/atlas/visits', { headers: { Authorization: basic('ada', 'password') } }))
        .status,
    ).toBe(200);
    expect(local()).toMatchObject({
      'platform-mvc-auth': {
        authentication: {
          adapters: { people: { adapter: 'HttpAdapter', options: people.options } },
          map: { 'Atlas-v1': 'people' },
        },
      },
    });
  });

  it('are rejected under an existing name', async () => {
    await send('POST', '/adapters', people);
    const again = await send('POST', '/adapters', people);
    expect(again.status).toBe(409);
    expect(again.headers.get('content-type')).toBe('application/problem+json');
  });

  it.each([
    [{ ...people, options: { ...people.options, htpasswd: 'config/none.htpasswd' } }, '/options/htpasswd'],
    [{ ...people, options: { ...people.options, htpasswd: '../outside.htpasswd' } }, '/options/htpasswd'],
    [{ ...people, options: { ...people.options, accept_schemes: ['bearer'] } }, '/options/accept_schemes'],
    [{ ...people, options: { accept_schemes: ['basic'] } }, '/options/realm'],
    [{ ...people, adapter: 'NoAdapter' }, '/adapter'],
    [{ ...people, name: '' }, '/name'],
    [{ name: 'x' }, '/adapter'],
    [{ ...people, surplus: 1 }, '/surplus'],
  ])('that are invalid are rejected at their field: %j', async (value, pointer) => {
    const answer = await send('POST', '/adapters', value);
    expect(answer.status).toBe(422);
    const { errors } = (await bodyOf(answer)) as { errors: { pointer: string; message: string }[] };
    expect(errors.some((error) => error.pointer.startsWith(pointer))).toBe(true);
    expect(local()).not.toHaveProperty('platform-mvc-auth');
  });

  it('are not overwritten by clients with an outdated ETag', async () => {
    await send('POST', '/adapters', people);
    const etag = (await get('/adapters/people')).headers.get('etag') ?? '';
    const renamed = (realm: string): object => ({ options: { ...people.options, realm } });
    expect((await send('PUT', '/adapters/people', renamed('One'), { 'If-Match': etag })).status).toBe(200);
    expect((await send('PUT', '/adapters/people', renamed('Two'), { 'If-Match': etag })).status).toBe(412);
    expect(await bodyOf(await get('/adapters/people'))).toMatchObject({ options: { realm: 'One' } });
  });

  it.each([
    ['name', 'others'],
    ['adapter', 'JwtAdapter'],
  ])('have their %s when they are replaced, and do not become %s', async (member, value) => {
    await send('POST', '/adapters', people);
    expect((await send('PUT', '/adapters/people', people)).status).toBe(200);
    const answer = await send('PUT', '/adapters/people', { ...people, [member]: value });
    expect([answer.status, (await bodyOf(answer)).errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: `/${member}` })],
    ]);
  });

  it('are deleted if they are not mapped', async () => {
    await send('POST', '/adapters', people);
    await send('PUT', '/map/Atlas-v1', { adapters: ['people'] });
    const used = await send('DELETE', '/adapters/people');
    expect(used.status).toBe(409);
    expect((await bodyOf(used)).detail).toContain('Atlas-v1');
    const files = { adapters: ['people'] };
    expect((await send('PUT', `/map/${encodeURIComponent('@static-files/app')}`, files)).status).toBe(200);
    // The first entry keeps the others guarded by the only adapter.
    for (const key of ['Atlas-v1', '@static-files/app', '*'])
      expect((await send('DELETE', `/map/${encodeURIComponent(key)}`)).status).toBe(204);
    expect((await send('DELETE', '/adapters/people')).status).toBe(204);
    expect((await get('/adapters/people')).status).toBe(404);
    expect((await send('DELETE', '/adapters/people')).status).toBe(404);
  });

  it('can be checked before they are saved, and tested with a sign-in after', async () => {
    const check = await send('POST', '/adapter-check', { adapter: people.adapter, options: people.options });
    expect(await bodyOf(check)).toMatchObject({ findings: [{ level: 'ok' }] });
    await send('POST', '/adapters', people);
    const tried = async (password: string): Promise<unknown> =>
      (await bodyOf(await send('POST', '/sign-in-test', { adapter: 'people', username: 'ada', password })))
        .outcome;
    expect(await tried('password')).toBe('signed in');
    expect(await tried('wrong')).toBe('refused');
  });
});

describe('Password files', () => {
  const users = '/password-files/data%2Fnew.htdigest/users';

  it('are created, and added users can sign in immediately', async () => {
    expect((await send('POST', '/password-files', { path: 'data/new.htdigest' })).status).toBe(201);
    const user = { user: 'grace', realm: 'Atlas', password: 'compiler' };
    expect((await send('POST', users, user)).status).toBe(201);
    expect((await send('POST', users, user)).status).toBe(409);
    expect((await send('PUT', `${users}/grace`, { ...user, user: 'heidi' })).status).toBe(422);
    const options = {
      accept_schemes: ['digest'],
      realm: 'Atlas',
      htdigest: 'data/new.htdigest',
      digest_domains: '',
      nonce_timeout: '3600',
    };
    expect((await send('POST', '/adapters', { name: 'new', adapter: 'HttpAdapter', options })).status).toBe(
      201,
    );
    expect((await send('PUT', '/map/Atlas-v2', { adapters: ['new'] })).status).toBe(200);
    const grace = new DigestClient({ username: 'grace', password: 'compiler' });
    const signedIn = await grace.fetch(`${platform.origin}/v2/atlas/visits`);
    expect(signedIn.status).toBe(200);
  });

  it('outside of the project have no number of users, but the reason', async () => {
    const outside = path.join(mkdtempSync(path.join(tmpdir(), 'outside-')), 'people.htpasswd');
    writeFileSync(outside, PEOPLE['config/people.htpasswd']);
    const { adapter, options } = peopleAdapter();
    const adapters = {
      people: { adapter, options },
      outside: { adapter, options: { ...options, htpasswd: outside } },
    };
    await restart({ 'platform-mvc-auth': { authentication: { adapters, map: { Atlas: 'people' } } } });
    expect(await (await get('/password-files')).json()).toEqual([
      { path: 'config/people.htpasswd', kind: 'htpasswd', users: 2, adapters: ['people'], problem: null },
      {
        path: outside,
        kind: 'htpasswd',
        users: null,
        adapters: ['outside'],
        problem: `${outside} is outside the project folder.`,
      },
    ]);
  });

  it.each(['../outside.htpasswd', '/etc/passwd', 'data/administrators.htpasswd', 'src/\0x'])(
    'do not lead out of the project, nor to the administrators: %j',
    async (file) => {
      const answer = await send('POST', '/password-files', { path: file });
      expect([409, 422]).toContain(answer.status);
      expect(existsSync(path.join(platform.root, '..', 'outside.htpasswd'))).toBe(false);
    },
  );
});

describe('Selectors', () => {
  it('are created and get view models, which render the documentation immediately', async () => {
    expect((await send('POST', '/selectors', { name: 'Own' })).status).toBe(201);
    const path = '/selectors/Documentation/models';
    expect(
      (await send('PUT', `${path}/JsonModel`, { types: ['application/json', 'application/vnd.own+json'] }))
        .status,
    ).toBe(200);
    const shown = await platform.request('/platform/documentation', {
      headers: { Accept: 'application/vnd.own+json' },
    });
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-type')).toBe('application/vnd.own+json');
    expect((await send('PUT', `${path}/NoModel`, { types: ['text/plain'] })).status).toBe(422);
    expect((await send('PUT', `${path}/ViewModel`, { types: ['no type'] })).status).toBe(422);
    expect((await send('DELETE', '/selectors/Documentation')).status).toBe(409);
    expect((await send('DELETE', '/selectors/Own')).status).toBe(204);
  });

  it('explain their negotiation', async () => {
    const answer = await get(
      `/negotiation-test?selector=Documentation&accept=${encodeURIComponent('text/html;q=0.5, */*;q=0.1')}`,
    );
    expect(await bodyOf(answer)).toMatchObject({ viewModel: 'ViewModel' });
    expect((await get('/negotiation-test?selector=None')).status).toBe(404);
  });
});

describe('Rules and texts', () => {
  it('change the access rules of single operations', async () => {
    await send('POST', '/adapters', people);
    await send('PUT', '/map/Atlas-v1', { adapters: ['people'] });
    const rules = [{ service: 'Country', part: 'entity', method: 'GET', rule: 'authenticated' }];
    expect((await send('PATCH', '/authorization/Atlas-v1', { rules })).status).toBe(200);
    expect((await platform.request('/v1/atlas/countries/DE')).status).toBe(401);
    expect((await platform.request('/v1/atlas/countries')).status).toBe(200);
    const unknown = [{ service: 'Country', part: 'entity', method: 'DELETE', rule: 'guest' }];
    const refused = await send('PATCH', '/authorization/Atlas-v1', { rules: [...rules, ...unknown] });
    expect([refused.status, (await bodyOf(refused)).errors]).toMatchObject([422, [{ pointer: '/rules/1' }]]);
    const invalid = [{ ...rules[0], rule: ['a:b'] }];
    const unnamed = await send('PATCH', '/authorization/Atlas-v1', { rules: invalid });
    expect((await bodyOf(unnamed)).errors).toMatchObject([{ pointer: '/rules/0/rule' }]);
    const unmapped = await send('PUT', '/map/Atlas-v1', { adapters: ['none'] });
    expect([unmapped.status, (await bodyOf(unmapped)).errors]).toMatchObject([
      422,
      [{ pointer: '/adapters' }],
    ]);
    const nowhere = await send('PUT', '/map/Nope', { adapters: [] });
    expect([nowhere.status, (await bodyOf(nowhere)).errors]).toMatchObject([422, [{ pointer: '' }]]);
    expect((await get('/authorization/Atlas-v9')).status).toBe(404);
  });

  it('change the documentation in every format', async () => {
    const key = '/versions/1/services/Country/description';
    const texts = [{ key, text: 'Countries, <b>changed</b>.' }];
    expect((await send('PATCH', '/documentation-texts/Atlas-v1', { texts })).status).toBe(200);
    for (const accept of ['application/json', 'application/vnd.apidesc+json', 'text/markdown']) {
      const shown = await platform.request('/platform/documentation/Atlas-v1/Country', {
        headers: { accept },
      });
      expect(await shown.text()).toContain('Countries, <b>changed</b>.');
    }
    const page = await platform.request('/platform/documentation/Atlas-v1/Country', {
      headers: { accept: 'text/html' },
    });
    expect(await page.text()).toContain('Countries, &lt;b&gt;changed&lt;/b&gt;.');
  });

  it('change the documentation visibility of a service', async () => {
    const key = '/versions/1/services/Country/visibility';
    const visibilityOfCountry = async (): Promise<unknown> => {
      const { visibility } = await bodyOf(await get('/documentation-texts/Atlas-v1'));
      return (visibility as { key: string }[]).find((one) => one.key === key);
    };
    const unset = { key, visibility: null, effective: 'public', source: 'the module "atlas"' };
    expect(await visibilityOfCountry()).toEqual(unset);
    const set = (visibility: unknown) =>
      send('PATCH', '/documentation-texts/Atlas-v1', { visibility: [{ key, visibility }] });
    expect((await set('authenticated')).status).toBe(200);
    expect(await visibilityOfCountry()).toMatchObject({
      key,
      visibility: 'authenticated',
      effective: 'authenticated',
      source: expect.stringMatching(/^config\/autoload\/local\.json:/) as string,
    });
    const shown = await platform.request('/platform/documentation/Atlas-v1');
    expect(await shown.text()).not.toContain('Country');
    expect((await bodyOf(await get('/documentation-texts/Atlas-v1'))).warnings).toEqual([
      `${key}: the documentation of the service Country of Atlas is hidden from everybody, because nobody can sign in to read it. Map an adapter to "Atlas" or "@documentation".`,
    ]);
    expect((await set('nobody')).status).toBe(422);
    const unknown = [{ key: '/versions/9/visibility', visibility: 'public' }];
    const refused = await send('PATCH', '/documentation-texts/Atlas-v1', { visibility: unknown });
    expect([refused.status, (await bodyOf(refused)).errors]).toEqual([
      422,
      [{ pointer: '/versions/9/visibility', message: 'Unknown API or service.' }],
    ]);
    expect((await set(null)).status).toBe(200);
    expect(await visibilityOfCountry()).toEqual(unset);
    expect((await bodyOf(await get('/documentation-texts/Atlas-v1'))).warnings).toEqual([]);
  });
});

describe('Revisions', () => {
  it('show author and difference of changes by the API, and can be undone', async () => {
    await send('POST', '/adapters', people);
    await send('PUT', '/map/Atlas-v1', { adapters: [] });
    const { items } = (await bodyOf(await get('/revisions'))) as {
      items: { revision: number; by: string }[];
    };
    expect(items.map(({ revision, by }) => [revision, by])).toEqual([
      [2, 'ada'],
      [1, 'ada'],
    ]);
    // Without a map, the only adapter guards the API.
    expect((await platform.request('/v1/atlas/visits')).status).toBe(403);
    expect((await send('POST', '/undo', { revision: 2 })).status).toBe(200);
    expect((await platform.request('/v1/atlas/visits')).status).toBe(401);
    expect((await send('POST', '/restore', { revision: 2 })).status).toBe(200);
    expect((await platform.request('/v1/atlas/visits')).status).toBe(403);
    expect((await send('POST', '/restore', { revision: 99 })).status).toBe(404);
    expect((await get('/revisions/1')).status).toBe(200);
    expect((await get('/revisions/none')).status).toBe(404);
  });

  it('are restored unless another administrator has changed the configuration meanwhile', async () => {
    for (const name of ['First', 'Second', 'Third']) await send('POST', '/selectors', { name });
    const restored = async (newest: number): Promise<number> =>
      (await send('POST', '/restore', { revision: 1, newest })).status;
    expect(await restored(2)).toBe(412);
    expect((await get('/selectors/Third')).status).toBe(200);
    expect(await restored(3)).toBe(200);
    expect((await get('/selectors/Third')).status).toBe(404);
    writeFileSync(path.join(platform.root, 'config/autoload/local.json'), '{}');
    expect(await restored(4)).toBe(412);
  });

  it('are listed without one that a change deletes meanwhile', async () => {
    for (const name of ['First', 'Second', 'Third']) await send('POST', '/selectors', { name });
    const read = jest.spyOn(LocalConfiguration.prototype, 'revision').mockImplementationOnce(function (
      this: LocalConfiguration,
      number,
    ) {
      rmSync(path.join(platform.root, 'data/revisions/000001.json'));
      return this.revision(number);
    });
    const answer = await get('/revisions');
    read.mockRestore();
    expect(answer.status).toBe(200);
    const { items } = (await bodyOf(answer)) as { items: { revision: number }[] };
    expect(items.map(({ revision }) => revision)).toEqual([3, 2]);
  });

  it('names the file that is in the way of the revisions', async () => {
    writeFileSync(path.join(platform.root, 'data/revisions'), '');
    for (const below of ['/revisions', '/revisions/1']) {
      const { status, detail } = (await bodyOf(await get(below))) as { status: number; detail: string };
      expect(status).toBe(507);
      expect(detail).toMatch(/data.revisions cannot be read: a file has the name of one of its folders/);
    }
  });
});

describe('Administrators cannot lock themselves out', () => {
  it('by another adapter for the admin API', async () => {
    await send('POST', '/adapters', people);
    const answer = await send('PUT', '/map/Admin', { adapters: ['people'] });
    expect(answer.status).toBe(409);
    expect((await bodyOf(answer)).detail).toMatch(/lock you out/);
    expect((await get('/adapters')).status).toBe(200);
  });

  it('by removing the last administrator', async () => {
    const answer = await send('DELETE', '/administrators/ada');
    expect([409, 422]).toContain(answer.status);
    expect(
      await bodyOf(await send('POST', '/administrators', { name: 'bob', password: 'long enough' })),
    ).toEqual({ name: 'bob', role: 'viewer', second_factor: false });
    expect((await send('DELETE', '/administrators/bob')).status).toBe(204);
  });
});

describe('Administrators', () => {
  it.each<readonly [string, string, unknown, number, string]>([
    ['an existing name', 'POST', { name: 'ada', password: 'long enough' }, 409, '/name'],
    ['an invalid name', 'POST', { name: 'a:b', password: 'long enough' }, 422, '/name'],
    ['a short password', 'POST', { name: 'bob', password: '1234567' }, 422, '/password'],
    ['a short password of an existing one', 'PUT', { password: '1234567' }, 422, '/password'],
    ['a password that is too long', 'PUT', { password: 'x'.repeat(73) }, 422, '/password'],
    ['another name', 'PUT', { name: 'bob', password: 'long enough' }, 422, '/name'],
  ])('are refused with %s at its field', async (_, method, value, status, pointer) => {
    const before = readFileSync(platform.file, 'utf8');
    const answer = await send(method, `/administrators${method === 'PUT' ? '/ada' : ''}`, value);
    expect([answer.status, (await bodyOf(answer)).errors]).toEqual([
      status,
      [expect.objectContaining({ pointer })],
    ]);
    expect(readFileSync(platform.file, 'utf8')).toBe(before);
  });

  it('keep their role with a patch that has none', async () => {
    const bob = { name: 'bob', password: 'long enough', role: 'editor' };
    expect((await send('POST', '/administrators', bob)).status).toBe(201);
    const unchanged = await send('PATCH', '/administrators/bob', {});
    expect([unchanged.status, await bodyOf(unchanged)]).toMatchObject([200, { name: 'bob', role: 'editor' }]);
    expect((await send('PATCH', '/administrators/bob', { role: null })).status).toBe(422);
    const changed = await send('PATCH', '/administrators/bob', { role: 'viewer' });
    expect(await bodyOf(changed)).toMatchObject({ name: 'bob', role: 'viewer' });
  });

  it('keep their role and second factor if one of the same name is added', async () => {
    const bob = { name: 'bob', password: 'long enough', role: 'editor' };
    expect((await send('POST', '/administrators', bob)).status).toBe(201);
    const file = path.join(platform.root, 'data/administrators.json');
    const before = readFileSync(file, 'utf8');
    for (const name of ['ada', 'bob']) {
      const answer = await send('POST', '/administrators', { ...bob, name, role: 'viewer' });
      expect([readFileSync(file, 'utf8'), answer.status]).toEqual([before, 409]);
    }
  });
});

it('reloads manual edits, and keeps the current configuration if they are invalid', async () => {
  const file = path.join(platform.root, 'config/autoload/local.json');
  const good = readFileSync(file, 'utf8');
  writeFileSync(file, '{ "platform-hosting": { "apis": 1 } }');
  expect((await send('POST', '/reload')).status).toBe(422);
  expect((await get('/overview')).status).toBe(200);
  writeFileSync(file, good);
  expect((await send('POST', '/reload')).status).toBe(200);
});
