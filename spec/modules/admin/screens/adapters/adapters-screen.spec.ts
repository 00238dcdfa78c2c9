import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_FILE } from '../../../../../src/framework';
import { ADMIN, startAdminPlatform, WITH_ADMIN, type AdminPlatform } from '../../../../factories/admin/admin';
import { digestLine } from '../../../../factories/sign-in/digest-line';
import { fieldsOf } from '../../../../factories/admin/page-form';
import { sampleAuthentication } from '../../../../factories/platform';
import { BearerModule } from '../../../../fixtures/bearer-module';
import { authenticatedBy, PEOPLE } from '../../../../fixtures/people';

let platform: AdminPlatform;
beforeAll(async () => {
  platform = await startAdminPlatform({
    modules: WITH_ADMIN,
    local: authenticatedBy('people'),
    extra: [new BearerModule()],
    files: { ...PEOPLE, 'config/club.htdigest': `${digestLine('ada', 'Club', 'password')}\n` },
  });
});
afterAll(() => platform.stop());

type Fields = Record<string, string | readonly string[]>;

const page = async (below: string): Promise<string> => (await platform.ada.get(below)).text();
const post = (below: string, fields: Fields): Promise<Response> =>
  platform.ada.post(
    below,
    Object.entries(fields).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((one) => [name, one] as const),
    ),
  );
/** Submits a form and confirms its preview. */
const confirmed = async (below: string, fields: Fields): Promise<Response> => {
  const difference = await (await post(below, fields)).text();
  expect(difference).toContain('Difference');
  return platform.ada.post(below, fieldsOf(difference, 'confirm'));
};
const written = (): string => readFileSync(path.join(platform.root, LOCAL_FILE), 'utf8');
const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

const DIGEST: Fields = {
  kind: 'HttpAdapter',
  name: 'club',
  '/options/accept_schemes': '"digest"',
  '/options/realm': 'Club',
  '/options/htdigest': 'config/club.htdigest',
  '/options/digest_domains': '',
  '/options/nonce_timeout': '600',
};
const EDIT = '/adapters/people/edit';

describe('The list of adapters', () => {
  it('shows name, type, realm, files and map entries', async () => {
    const text = textOf(await page('/adapters'));
    expect(text).toMatch(/people Basic People config\/people\.htpasswd \*/);
    expect(text).toContain('BearerAdapter');
  });

  it('has no links to files outside the project, which the admin does not open', async () => {
    const own = await startAdminPlatform({ local: sampleAuthentication });
    try {
      const html = await (await own.ada.get('/adapters')).text();
      expect(html).toContain('sample.htdigest');
      expect(html).not.toContain('/password-files/users');
    } finally {
      await own.stop();
    }
  });

  it('has no links to the file of the administrators and to missing files, nor have other pages', async () => {
    const options = { accept_schemes: ['basic'], realm: 'Staff' };
    const files = { own: 'data/administrators.htpasswd', gone: 'data/gone.htpasswd' };
    const adapters = Object.fromEntries(
      Object.entries(files).map(([name, htpasswd]) => [
        name,
        { adapter: 'HttpAdapter', options: { ...options, htpasswd } },
      ]),
    );
    const local = { 'platform-mvc-auth': { authentication: { adapters, map: { Admin: ['own', 'gone'] } } } };
    const started = await startAdminPlatform({ local, files: { [files.gone]: '' } });
    try {
      rmSync(path.join(started.root, files.gone));
      for (const below of ['/adapters', '/password-files', '/access-map']) {
        const html = await (await started.ada.get(below)).text();
        for (const file of Object.values(files)) {
          expect(html).toContain(file);
          expect(html).not.toContain(`/password-files/users?file=${encodeURIComponent(file)}`);
        }
      }
      expect(textOf(await (await started.ada.get('/password-files')).text())).toContain(
        'It is the file of the administrators.',
      );
    } finally {
      await started.stop();
    }
  });

  it('requires a signed-in administrator', async () => {
    const answer = await platform.stranger().get('/adapters');
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/sign-in') as string,
    ]);
  });
});

describe('A new adapter', () => {
  it('is previewed, saved, and authenticates users without a restart', async () => {
    const form = await page('/adapters/new?type=digest');
    expect(fieldsOf(form, '/options/realm')).toEqual(
      expect.arrayContaining([
        ['/options/accept_schemes', '"digest"'],
        ['/options/nonce_timeout', '3600'],
      ]),
    );
    const saved = await confirmed('/adapters/new?type=digest', DIGEST);
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${ADMIN}/adapters`]);
    const { 'platform-mvc-auth': auth } = JSON.parse(written()) as Record<string, never>;
    expect(auth).toMatchObject({
      authentication: {
        adapters: {
          club: {
            adapter: 'HttpAdapter',
            options: {
              accept_schemes: ['digest'],
              realm: 'Club',
              htdigest: 'config/club.htdigest',
              digest_domains: '',
              nonce_timeout: '600',
            },
          },
        },
      },
    });
    expect(textOf(await page('/adapters'))).toContain('Added the adapter');
  });

  it('keeps the input and shows errors at their fields', async () => {
    const answer = await post('/adapters/new?type=digest', {
      ...DIGEST,
      name: 'other',
      '/options/realm': 'a"b',
      '/options/nonce_timeout': 'soon',
      '/options/htdigest': '../../etc/passwd',
    });
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(html).toContain('value="../../etc/passwd"');
    expect(html).toContain('value="a&quot;b"');
    for (const option of ['realm', 'nonce_timeout', 'htdigest']) {
      expect(html).toContain(`id="options-${option}-error"`);
    }
  });

  it('names the fields of its errors in their summary', async () => {
    const html = await (
      await post('/adapters/new?type=digest', { ...DIGEST, name: 'other', '/options/realm': '' })
    ).text();
    expect(html).toContain('<li><a href="#options-realm">Realm: ');
    expect(html).toMatch(/id="options-realm-error">(?!Realm: )/);
  });

  it.each(['check', ''])('shows the errors of all fields, also if one cannot be parsed: %j', async (what) => {
    const answer = await post('/adapters/new?type=digest', {
      ...DIGEST,
      name: 'people',
      '/options/nonce_timeout': 'soon',
      '/options/users/ha1': '{',
      ...(what === '' ? {} : { do: what }),
    });
    const html = await answer.text();
    expect([...html.matchAll(/id="([\w-]+)-error"/g)].map(([, id]) => id).sort()).toEqual([
      'name',
      'options-nonce_timeout',
      'options-users-ha1',
    ]);
  });

  it('cannot have an existing name', async () => {
    const answer = await post('/adapters/new', { ...DIGEST, name: 'people' });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('id="name-error"');
  });

  it('is checked with its name', async () => {
    for (const [name, error] of [
      ['people', 'already exists'],
      ['', 'Enter a name.'],
    ] as const) {
      const checked = await post('/adapters/new', { ...DIGEST, name, do: 'check' });
      expect([checked.status, textOf(await checked.text())]).toEqual([200, expect.stringContaining(error)]);
    }
    const checked = await post('/adapters/new', { ...DIGEST, name: 'other', do: 'check' });
    expect(await checked.text()).not.toContain('name-error');
  });

  it.each(['', ' club', 'a\u0007b'])('cannot have the name %j', async (name) => {
    expect((await post('/adapters/new', { ...DIGEST, name })).status).toBe(422);
  });

  it.each(['a/b', 'a b', '100%', 'new', 'Ländle', 'a?b#c', '<script>alert(1)</script>', '"><img src=x>'])(
    'can have the name %j',
    async (name) => {
      await confirmed('/adapters/new', { ...DIGEST, name });
      const html = await page(`/adapters/${encodeURIComponent(name)}/edit`);
      expect(html).toContain('value="config/club.htdigest"');
      expect(html + (await page('/adapters'))).not.toMatch(/<script>alert|<img src=x/);
      await confirmed(`/adapters/${encodeURIComponent(name)}/remove`, {});
      expect((await platform.ada.get(`/adapters/${encodeURIComponent(name)}/edit`)).status).toBe(404);
    },
  );

  it('is rejected if its kind does not exist', async () => {
    expect((await platform.ada.get('/adapters/new?kind=Nothing')).status).toBe(404);
    expect((await post('/adapters/new', { ...DIGEST, kind: 'Nothing' })).status).toBe(404);
  });

  it('of a contributed kind has a form made from its schema', async () => {
    const html = await page('/adapters/new?kind=BearerAdapter');
    expect(html).toContain('name="/options/realm"');
    expect(html).toMatch(/<textarea id="options-tokens" name="\/options\/tokens"/);
    const fields = { kind: 'BearerAdapter', name: 'robots', '/options/realm': 'Robots' };
    const wrong = await post('/adapters/new?kind=BearerAdapter', { ...fields, '/options/tokens': '{' });
    expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('Invalid JSON')]);
    await confirmed('/adapters/new?kind=BearerAdapter', {
      ...fields,
      '/options/tokens': '{"t0p-secret":"robot"}',
    });
    expect(written()).toContain('t0p-secret');
    expect(await page('/adapters/robots/edit')).not.toContain('t0p-secret');
    await confirmed('/adapters/robots/edit', { '/options/realm': 'Machines', '/options/tokens': '' });
    expect(written()).toContain('t0p-secret');
    expect(written()).toContain('Machines');
  });
});

describe('An adapter for tokens', () => {
  const SECRET = 'a secret of 32 bytes, or a little more';
  const fields: Fields = {
    kind: 'JwtAdapter',
    name: 'tokens',
    '/options/algorithms': '"HS256"',
    '/options/secret': SECRET,
    '/options/issuer': 'https://issuer.example',
    '/options/realm': 'Tokens',
  };

  it('is offered, and has a form with the options of its kind', async () => {
    const list = textOf(await page('/adapters'));
    for (const kind of ['JwtAdapter', 'IntrospectionAdapter']) expect(list).toContain(kind);
    const text = textOf(await page('/adapters/new?kind=JwtAdapter'));
    expect(text).toContain('Key set (JWKS) optional');
    expect(text).toContain('EdDSA');
    expect(textOf(await page('/adapters/new?kind=IntrospectionAdapter'))).toMatch(
      /Introspection endpoint The URL/,
    );
  });

  it('shows options that do not work together', async () => {
    const short = await post('/adapters/new?kind=JwtAdapter', { ...fields, '/options/secret': 'short' });
    expect(short.status).toBe(422);
    const html = await short.text();
    expect(textOf(html)).toContain('It has 5 bytes; HS256 needs at least 32');
    expect(html).toContain('id="options-secret-error"');
    expect(html).not.toContain('value="short"');
  });

  it('says that a secret needs to be entered again after an error elsewhere', async () => {
    const AGAIN = 'Enter it again: it was not saved.';
    const wrong = await post('/adapters/new?kind=JwtAdapter', { ...fields, name: '' });
    const html = await wrong.text();
    expect([wrong.status, textOf(html).split(AGAIN).length]).toEqual([422, 2]);
    expect(html).not.toContain(SECRET);
    const without = await post('/adapters/new?kind=JwtAdapter', { ...fields, '/options/secret': '' });
    expect(textOf(await without.text())).not.toContain(AGAIN);
    const json = { kind: 'BearerAdapter', name: '', '/options/realm': 'A', '/options/tokens': '{"a":"b"}' };
    expect(textOf(await (await post('/adapters/new?kind=BearerAdapter', json)).text())).toContain(AGAIN);
  });

  it('collapses options that are rarely set, until one of them is', async () => {
    const groups = (html: string): readonly string[] =>
      [...html.matchAll(/<details class="group" data-group="([^"]+)"( open)?>/g)].map(
        ([, title = '', open = '']) => title + open,
      );
    expect(groups(await page('/adapters/new?kind=JwtAdapter'))).toEqual(['Documentation', 'Claims', 'More']);
    const wrong = {
      ...fields,
      '/options/secret': 'short',
      '/options/name_claim': 'email',
      '/options/realm': '',
    };
    expect(groups(await (await post('/adapters/new?kind=JwtAdapter', wrong)).text())).toEqual([
      'Documentation',
      'Claims open',
      'More',
    ]);
    expect(groups(await page('/adapters/new?kind=ApiKeyAdapter'))).toEqual(['More']);
  });

  it.each([
    ['ApiKeyAdapter', { '/options/keys': 'data/none.json' }, 'options-keys'],
    ['ApiKeyAdapter', { '/options/keys': 'data/keys.json', '/options/header': 'Host' }, 'options-header'],
    [
      'IntrospectionAdapter',
      {
        '/options/endpoint': 'http://issuer.example/',
        '/options/client_id': 'a',
        '/options/client_secret': 'b',
      },
      'options-endpoint',
    ],
    [
      'JwtAdapter',
      {
        '/options/algorithms': '"RS256"',
        '/options/jwks': 'data/none.json',
        '/options/issuer': 'a',
        '/options/audience': 'b',
      },
      'options-jwks',
    ],
  ])('of the kind %s shows what opening it finds at the field: %j', async (kind, options, id) => {
    const answer = await post(`/adapters/new?kind=${kind}`, { kind, name: 'new', ...options });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain(`id="${id}-error"`);
    expect(textOf(html)).not.toContain('Authentication adapter "');
  });

  it('never shows its secret, and offers no sign-in with a password', async () => {
    const review = await (await post('/adapters/new?kind=JwtAdapter', fields)).text();
    expect(review).toContain('Difference');
    expect(textOf(review)).not.toContain(SECRET);
    const saved = await platform.ada.post('/adapters/new?kind=JwtAdapter', fieldsOf(review, 'confirm'));
    expect(saved.status).toBe(303);
    expect(written()).toContain(SECRET);
    for (const below of ['/adapters/tokens/edit', '/configuration', '/revisions', '/audit'])
      expect(await page(below)).not.toContain(SECRET);
    const answer = await platform.ada.get('/api/v1/adapters/tokens');
    expect(await answer.text()).not.toContain(SECRET);
    // There is no password to test.
    for (const below of ['/adapters', '/adapters/tokens/edit'])
      expect(await page(below)).not.toContain('/adapters/tokens/sign-in"');
    const test = await page('/adapters/tokens/sign-in');
    expect(textOf(test)).toContain('Clients of this adapter send tokens or keys');
    expect(test).not.toContain('name="user"');
    const edited = await confirmed('/adapters/tokens/edit', {
      ...fields,
      '/options/secret': '',
      '/options/realm': 'Other',
    });
    expect(edited.status).toBe(303);
    expect(written()).toContain(SECRET);
  });
});

describe('The form of an adapter', () => {
  it('shows the check results of its files', async () => {
    expect(textOf(await page(EDIT))).toContain('config/people.htpasswd has 2 users.');
  });

  it('checks again on request without changing anything', async () => {
    const before = written();
    const checked = await post(EDIT, {
      do: 'check',
      '/options/accept_schemes': '"basic"',
      '/options/realm': 'Typed',
      '/options/htpasswd': 'data/none.htpasswd',
    });
    const html = await checked.text();
    expect(checked.status).toBe(200);
    expect(html).toContain('The file data/none.htpasswd does not exist.');
    expect(html).toContain('value="Typed"');
    expect(html).toContain('/platform/admin/password-files?file=data%2Fnone.htpasswd&amp;kind=htpasswd');
    expect(written()).toBe(before);
  });

  it('saves only what has changed', async () => {
    const html = await page(EDIT);
    const fields = Object.fromEntries(fieldsOf(html, '/options/realm'));
    await confirmed(EDIT, { ...fields, '/options/realm': 'Everyone' });
    expect(written()).toContain('"realm": "Everyone"');
    expect((await platform.request('/atlas/countries')).headers.get('www-authenticate')).toBeNull();
    const refused = await platform.request('/atlas/countries', {
      headers: { authorization: 'Basic bm86bm8=' },
    });
    expect(refused.headers.get('www-authenticate')).toContain('realm="Everyone"');
  });

  it('shows a concurrent change instead of overwriting it', async () => {
    const fields = Object.fromEntries(fieldsOf(await page(EDIT), '/options/realm'));
    await confirmed(EDIT, { ...fields, '/options/realm': 'First' });
    const second = await post(EDIT, { ...fields, '/options/realm': 'Second' });
    const html = await second.text();
    expect(second.status).toBe(200);
    expect(html).toContain('This was changed by someone else');
    expect(html).toContain('First');
    expect(html).toContain('Second');
    expect(written()).toContain('"realm": "First"');
  });

  it('handles requests that its form would not send', async () => {
    for (const fields of [
      {},
      { '/options/accept_schemes': 'basic' },
      { '/options/accept_schemes': ['"basic"', '"digest"'] },
      { '/options': '{"__proto__":{"polluted":true}}' },
      { '/options/realm': ['a', 'b'], tag: 'x' },
    ] as Fields[]) {
      expect((await post(EDIT, fields)).status).toBe(422);
    }
    expect({}).not.toHaveProperty('polluted');
  });

  it('responds with 404 for an unknown adapter', async () => {
    expect((await platform.ada.get('/adapters/nobody/edit')).status).toBe(404);
    expect((await post('/adapters/nobody/edit', {})).status).toBe(404);
    expect((await platform.ada.get('/adapters/nobody/sign-in')).status).toBe(404);
    expect((await platform.ada.get('/adapters/nobody/remove')).status).toBe(404);
  });

  it('displays values of configuration files as text', async () => {
    const fields = Object.fromEntries(fieldsOf(await page(EDIT), '/options/realm'));
    await confirmed(EDIT, { ...fields, '/options/realm': "<script>alert('x')</script>" });
    for (const one of [EDIT, '/adapters', '/adapters/people/sign-in', '/adapters/people/remove']) {
      expect(await page(one)).not.toContain('<script>alert');
    }
  });
});

describe('Deleting an adapter', () => {
  it('is rejected while an API uses it, which is named', async () => {
    expect(textOf(await page('/adapters/people/remove'))).toContain('Guards *');
    const refused = await post('/adapters/people/remove', {});
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('in use by *')]);
  });
});

describe('Setting up a sign-in from scratch', () => {
  it('creates a file, a user, an adapter and a map entry without a restart', async () => {
    const { ada } = platform;
    const created = await ada.save('/password-files', { kind: 'htdigest', file: 'data/atlas.htdigest' });
    const users = created.headers.get('location')?.slice(ADMIN.length) ?? '';
    const guest = { realm: 'Atlas', user: 'guest', password: 'open it', again: 'open it' };
    const added = await ada.save(users, guest);
    expect(added.status).toBe(303);
    await confirmed('/adapters/new', {
      ...DIGEST,
      name: 'atlas',
      '/options/htdigest': 'data/atlas.htdigest',
      '/options/realm': 'Atlas',
    });
    const shown = await post('/adapters/atlas/sign-in', { user: 'guest', password: 'open it' });
    expect(textOf(await shown.text())).toContain('Digest with MD5: password accepted.');
  });
});

describe('A test sign-in', () => {
  const tried = async (user: string, password: string): Promise<string> =>
    (await post('/adapters/people/sign-in', { user, password })).text();

  it('shows who signed in or why not, and stores no password', async () => {
    expect(textOf(await tried('ada', 'password'))).toContain('Signed in as ada');
    const refused = await tried('ada', 'hunter2-hunter2');
    expect(textOf(refused)).toContain('wrong password');
    expect(refused).not.toContain('hunter2');
    expect(JSON.stringify(platform.log.lines)).not.toContain('hunter2');
  });

  it('displays input as text', async () => {
    const html = await tried('<script>alert(1)</script>', 'x');
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script>alert');
  });

  it('requires a user name', async () => {
    expect((await post('/adapters/people/sign-in', { password: 'x' })).status).toBe(422);
  });

  it('is throttled after too many failures', async () => {
    for (let guess = 0; guess < 10; guess++) await tried('ada', `wrong ${guess}`);
    expect(textOf(await tried('ada', 'password'))).toContain('too many failed attempts');
  });
});
