import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_FILE, LocalConfiguration, type ConfigObject } from '../../../../../src/framework';
import { Adapters } from '../../../../../src/modules/admin/actions/adapters/adapters';
import { PendingReload } from '../../../../../src/modules/admin/actions/insight/pending-reload';
import { Revisions } from '../../../../../src/modules/admin/actions/revisions/revisions';
import { AuditLog } from '../../../../../src/modules/admin/audit/audit-log';
import type { Actor, Change } from '../../../../../src/modules/admin/changes/change';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import { MASK } from '../../../../../src/modules/admin/changes/comparison/difference';
import { startTestPlatform, type TestProject } from '../../../../factories/platform';
import { rejectionOf } from '../../../../factories/rejection';
import { reusedPlatform } from '../../../../factories/reused-platform';
import { BearerModule } from '../../../../fixtures/bearer-module';
import { PEOPLE, authenticatedBy, peopleAdapter } from '../../../../fixtures/people';

const ADA: Actor = { name: 'ada', via: 'command' };
const HERE = '127.0.0.1';
const BASIC: ConfigObject = peopleAdapter().options;
const DIGEST: ConfigObject = {
  accept_schemes: ['digest'],
  realm: 'Club',
  htdigest: 'config/club.htdigest',
  digest_domains: '',
  nonce_timeout: '3600',
};
const FILES = {
  ...PEOPLE,
  /** `ada` and `bob` have entries for MD5 and SHA-256 with the password `password`. */
  'config/club.htdigest': [
    'ada:Club:d15a5cbdf5d3a4f2d19ceb1a2b0d0d3d',
    'bob:Elsewhere:d15a5cbdf5d3a4f2d19ceb1a2b0d0d3d',
    '',
  ].join('\n'),
  'config/people.htgroup': 'staff: ada\n',
  'config/keys.txt': 'api_key:abc\nsigning_key:def\n',
  'other/people.htpasswd': PEOPLE['config/people.htpasswd'],
};

let changes: ConfigurationChanges;
let adapters: Adapters;
const { platform, restart, discard } = reusedPlatform(async (project: TestProject = {}) => {
  const started = await startTestPlatform({
    local: authenticatedBy('people'),
    extra: [new BearerModule()],
    ...project,
    files: { ...FILES, ...project.files },
  });
  symlinkSync('/etc/passwd', path.join(started.root, 'config/link'));
  symlinkSync('/etc', path.join(started.root, 'etc'));
  return started;
});
beforeEach(connect);
const start = async (project: TestProject): Promise<void> => {
  await restart(project);
  connect();
};

function connect(): void {
  changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
  adapters = new Adapters(changes);
}

const apply = async (change: Promise<Change>): Promise<unknown> => changes.apply(await change, ADA);
const written = (): Record<string, { adapter?: string; options: Record<string, unknown> }> => {
  const local = JSON.parse(readFileSync(path.join(platform.root, LOCAL_FILE), 'utf8')) as Record<
    string,
    { authentication: { adapters: never } }
  >;
  return local['platform-mvc-auth']!.authentication.adapters;
};
const errorsOf = async (action: () => Promise<unknown>): Promise<unknown> =>
  (await rejectionOf(action)).extensions.errors;

describe('A second adapter, added to an only adapter that guards every API without a map,', () => {
  it('keeps those APIs guarded', async () => {
    const authentication = { adapters: { people: { adapter: 'HttpAdapter', options: BASIC } } };
    await start({ local: { 'platform-mvc-auth': { authentication } } });
    const garbage = { headers: { Authorization: 'Basic garbage' } };
    expect((await platform.request('/v1/atlas/countries', garbage)).status).toBe(401);
    expect((await adapters.get('people')).isOnlyAdapter).toBe(true);
    await apply(adapters.prepareCreate('club', 'HttpAdapter', DIGEST));
    expect((await platform.request('/v1/atlas/countries', garbage)).status).toBe(401);
    expect(await adapters.get('people')).toMatchObject({ usedBy: ['*'], isOnlyAdapter: false });
    expect(platform.application.warnings).toContainEqual(
      expect.stringContaining('the authentication adapter "club" guards nothing'),
    );
  });
});

describe('The list of adapters', () => {
  it('shows type, realm, files, map entries and source', async () => {
    expect(await adapters.list()).toEqual([
      expect.objectContaining({
        name: 'people',
        kind: 'HttpAdapter',
        type: 'Basic',
        realm: 'People',
        files: [{ option: 'htpasswd', path: 'config/people.htpasswd' }],
        usedBy: ['*'],
        isFromLowerLayer: false,
        source: expect.stringMatching(/^config\/autoload\/local\.json:\d+:\d+$/) as string,
      }),
    ]);
  });

  it('marks an adapter of a lower layer', async () => {
    await start({
      local: {},
      files: { 'config/autoload/global.json': JSON.stringify(authenticatedBy('below')) },
    });
    expect(await adapters.get('below')).toMatchObject({ isFromLowerLayer: true });
  });

  it('reports an unknown name', async () => {
    const problem = await rejectionOf(() => adapters.get('nobody'));
    expect([problem.status, problem.detail]).toEqual([
      404,
      'The adapter "nobody" does not exist. Available: people.',
    ]);
  });

  it('knows the built-in kind and those of modules', async () => {
    const kinds = await adapters.kinds();
    expect(kinds.map(({ name }) => name)).toEqual(expect.arrayContaining(['HttpAdapter', 'BearerAdapter']));
    expect(kinds[0]?.name).toBe('HttpAdapter');
  });
});

describe('Adding an adapter', () => {
  it('writes it at the documented key path and activates it', async () => {
    await apply(adapters.prepareCreate('club', 'HttpAdapter', DIGEST));
    expect(written().club).toEqual({ adapter: 'HttpAdapter', options: DIGEST });
    expect((await adapters.get('club')).type).toBe('Digest');
  });

  it('rejects an existing name at its field', async () => {
    const problem = await rejectionOf(() => adapters.prepareCreate('people', 'HttpAdapter', BASIC));
    expect(problem.status).toBe(409);
    expect(problem.extensions.errors).toEqual([
      { pointer: '/name', message: expect.stringContaining('already') as string },
    ]);
  });

  // The last ones could not be part of the URLs of their pages.
  it.each(['', ' club', 'club\n', 'a\u0000b', '__proto__', '..', '\ud800', 'x'.repeat(256)])(
    'rejects the name %j',
    async (name) => {
      expect(await errorsOf(() => adapters.prepareCreate(name, 'HttpAdapter', BASIC))).toEqual([
        expect.objectContaining({ pointer: '/name' }),
      ]);
    },
  );

  it.each(['Ländle', 'a.b', 'a/b', 'constructor', '<script>alert(1)</script>'])(
    'takes the name %j',
    async (name) => {
      await apply(adapters.prepareCreate(name, 'HttpAdapter', BASIC));
      expect((await adapters.get(name)).options).toEqual(BASIC);
    },
  );

  it('rejects an unknown kind and lists the available ones', async () => {
    expect(await errorsOf(() => adapters.prepareCreate('x', 'HttpAdaptor', BASIC))).toEqual([
      { pointer: '/adapter', message: expect.stringContaining('HttpAdapter') as string },
    ]);
  });

  it.each([
    ['no scheme', { ...BASIC, accept_schemes: [] }, '/options/accept_schemes'],
    ['an unknown scheme', { ...BASIC, accept_schemes: ['ntlm'] }, '/options/accept_schemes/0'],
    ['no realm', { ...BASIC, realm: '' }, '/options/realm'],
    ['a realm with a colon for Digest', { ...DIGEST, realm: 'a:b' }, '/options/realm'],
    ['no file', { accept_schemes: ['basic'], realm: 'x' }, '/options/htpasswd'],
    ['a missing file', { ...BASIC, htpasswd: 'config/nothing' }, '/options/htpasswd'],
    ['a folder', { ...BASIC, htpasswd: 'config' }, '/options/htpasswd'],
    ['a file above the project', { ...BASIC, htpasswd: '../../etc/passwd' }, '/options/htpasswd'],
    ['an absolute file elsewhere', { ...BASIC, htpasswd: '/etc/passwd' }, '/options/htpasswd'],
    ['a link that leads outside', { ...BASIC, htpasswd: 'config/link' }, '/options/htpasswd'],
    ['a file below a link that leads outside', { ...BASIC, htpasswd: 'etc/passwd' }, '/options/htpasswd'],
    ['a file in another folder', { ...BASIC, htpasswd: 'other/people.htpasswd' }, '/options/htpasswd'],
    ['a file that is not a password file', { ...BASIC, htpasswd: 'config/keys.txt' }, '/options/htpasswd'],
    ['an invalid digest file', { ...DIGEST, htdigest: 'config/keys.txt' }, '/options/htdigest'],
    [
      'a file of text, though passwords in plain text are taken',
      { ...BASIC, htpasswd: 'config/keys.txt', weak_hashes: ['plain'] },
      '/options/htpasswd',
    ],
    ['a nonce_timeout in words', { ...DIGEST, nonce_timeout: 'soon' }, '/options/nonce_timeout'],
    ['a realm without users', { ...DIGEST, realm: 'Clubb' }, '/options/htdigest'],
    ['a group file that is missing', { ...BASIC, htgroup: 'none' }, '/options/htgroup'],
    ['an unknown option', { ...BASIC, colour: 'red' }, '/options/colour'],
  ])('rejects %s at its field', async (_, options: ConfigObject, pointer) => {
    const problem = await rejectionOf(() => adapters.prepareCreate('x', 'HttpAdapter', options));
    expect(problem.status).toBe(422);
    expect(problem.extensions.errors).toEqual([expect.objectContaining({ pointer })]);
    expect(JSON.stringify(problem)).not.toMatch(/root:|_key/);
  });

  it.each(['JwtAdapter', 'ApiKeyAdapter'])(
    'of the kind %s takes files in the folders for password files only, and reveals nothing about others',
    async (kind) => {
      const keys = JSON.stringify({ keys: [] });
      const outside = path.join(path.dirname(platform.root), `${path.basename(platform.root)}.json`);
      writeFileSync(outside, keys);
      writeFileSync(path.join(platform.root, 'there.json'), keys);
      symlinkSync(outside, path.join(platform.root, 'config/link.json'));
      mkdirSync(path.join(platform.root, 'x:'));
      const files = [
        ['/etc/passwd', '/etc', '/etc/none', '/etc/shadow', outside],
        ['there.json', 'gone.json', `../${path.basename(outside)}`, `x:/../../${path.basename(outside)}`],
      ].flat();
      const optionsOf = (file: string): ConfigObject =>
        kind === 'JwtAdapter'
          ? { algorithms: ['RS256'], issuer: 'a', audience: 'b', jwks: file }
          : { keys: file };
      const found = await Promise.all(
        [...files, 'config/link.json'].map(async (file) => {
          const checked = await adapters.check(kind, optionsOf(file), 'new');
          const refused = await errorsOf(() => adapters.prepareCreate('new', kind, optionsOf(file)));
          expect(refused).toEqual([expect.objectContaining({ pointer: checked[0]?.pointer })]);
          return JSON.stringify(checked).replaceAll(file, 'FILE');
        }),
      );
      rmSync(outside);
      const linked = found.pop();
      expect(linked).toContain('is outside the project folder, through a symbolic link');
      expect(new Set(found).size).toBe(1);
      expect(found[0]).toContain('is not in one of the folders for password files');
      // In the folders, the check names what is wrong.
      expect((await adapters.check(kind, optionsOf('config/none.json')))[0]?.message).toContain(
        'does not exist',
      );
    },
  );

  it('does not name a file elsewhere for a scheme that it accepts later', async () => {
    const options = { ...DIGEST, htpasswd: '/etc/passwd' };
    expect(await errorsOf(() => adapters.prepareCreate('club', 'HttpAdapter', options))).toEqual([
      expect.objectContaining({ pointer: '/options/htpasswd' }),
    ]);
    await apply(
      adapters.prepareCreate('club', 'HttpAdapter', { ...DIGEST, htpasswd: 'config/people.htpasswd' }),
    );
  });

  it('keeps no option of a removed adapter with the same name', async () => {
    const below = authenticatedBy('below');
    await start({
      local: { 'platform-mvc-auth': { authentication: { adapters: { below: null }, map: { '*': null } } } },
      files: {
        'config/autoload/global.json': JSON.stringify(below).replace(
          '"realm"',
          '"htgroup":"config/people.htgroup","realm"',
        ),
      },
    });
    await apply(adapters.prepareCreate('below', 'HttpAdapter', BASIC));
    expect((await adapters.get('below')).options).toEqual(BASIC);
  });
});

describe('Changing an adapter', () => {
  it('writes only what differs', async () => {
    await apply(
      adapters.prepareReplace('people', { ...BASIC, realm: 'Everyone', htgroup: 'config/people.htgroup' }),
    );
    expect(written().people?.options).toEqual({
      ...BASIC,
      realm: 'Everyone',
      htgroup: 'config/people.htgroup',
    });
    await apply(adapters.prepareReplace('people', { ...BASIC, realm: 'Everyone' }));
    expect(written().people?.options).toEqual({ ...BASIC, realm: 'Everyone' });
  });

  it('overrides a lower layer leaf by leaf', async () => {
    const files = { 'config/autoload/global.json': JSON.stringify(authenticatedBy('below')) };
    await start({ local: {}, files });
    await apply(adapters.prepareReplace('below', { ...BASIC, realm: 'Mine' }));
    expect(written().below).toEqual({ options: { realm: 'Mine' } });
  });

  it('keeps a file outside the project, but accepts no new one', async () => {
    const outside = path.join(process.cwd(), 'config/samples/sample.htpasswd');
    const options = { ...BASIC, htpasswd: outside };
    await start({
      local: {
        'platform-mvc-auth': {
          authentication: { adapters: { far: { adapter: 'HttpAdapter', options } }, map: {} },
        },
      },
    });
    await apply(adapters.prepareReplace('far', { ...options, realm: 'Far' }));
    expect((await adapters.get('far')).realm).toBe('Far');
    const elsewhere = { ...options, htpasswd: outside.replace('htpasswd', 'htdigest') };
    expect(await errorsOf(() => adapters.prepareReplace('far', elsewhere))).toEqual([
      expect.objectContaining({ pointer: '/options/htpasswd' }),
    ]);
  });

  it('masks the secrets of a contributed kind and keeps them when they are submitted masked', async () => {
    const options = { realm: 'Robots', tokens: { 's3cret-token': 'robot' } };
    await apply(adapters.prepareCreate('robots', 'BearerAdapter', options));
    const shown = await adapters.get('robots');
    expect(JSON.stringify(shown)).not.toContain('s3cret');
    await apply(adapters.prepareReplace('robots', { ...shown.options, realm: 'Machines' }));
    expect(written().robots?.options).toEqual({ ...options, realm: 'Machines' });
  });

  it('masks secrets inside lists, and gives none to another item', async () => {
    const peer = (host: string, pin: string): ConfigObject => ({ host, pin });
    const [a, b, c] = [peer('a', 's3cret-a'), peer('b', 's3cret-b'), peer('c', 's3cret-c')];
    const options = { realm: 'Robots', tokens: {}, peers: [a, b, c] };
    const creation = await adapters.prepareCreate('robots', 'BearerAdapter', options);
    expect(JSON.stringify(await changes.preview(creation, ADA))).not.toContain('s3cret');
    await changes.apply(creation, ADA);
    const shown = (await adapters.get('robots')).options;
    expect(shown.peers).toEqual([peer('a', MASK), peer('b', MASK), peer('c', MASK)]);
    const replaceBy = async (...peers: readonly ConfigObject[]): Promise<unknown> => {
      await apply(adapters.prepareReplace('robots', { ...shown, peers }));
      return written().robots?.options.peers;
    };
    const [renamed, first] = [peer('renamed', MASK), peer('a', MASK)];
    expect(await replaceBy(first, renamed, peer('c', MASK))).toEqual([a, peer('renamed', 's3cret-b'), c]);
    expect(await replaceBy(peer('c', MASK), first)).toEqual([c, a]);
    expect(await errorsOf(() => replaceBy(renamed))).toEqual([
      expect.objectContaining({ pointer: '/options/peers/0/pin' }),
    ]);
  });

  it('masks what the schema of a contributed kind marks as secret in the review, the configuration and revisions', async () => {
    const options = { realm: 'Robots', tokens: {}, pin: 's3cret' };
    const creation = await adapters.prepareCreate('robots', 'BearerAdapter', options);
    const review = await changes.preview(creation, ADA);
    expect(review.difference).toContainEqual({
      path: 'platform-mvc-auth.authentication.adapters.robots.options.pin',
      after: MASK,
    });
    await changes.apply(creation, ADA);
    const shown = changes.configuration.explain().filter(({ path: at }) => at.at(-1) === 'pin');
    expect(shown).toMatchObject([{ secret: true }]);
    await apply(adapters.prepareRemove('robots'));
    // After a restart, no adapter of the kind is open.
    await platform.host.reload();
    const local = new LocalConfiguration(platform.root);
    const revisions = new Revisions(changes, local);
    for (const number of [1, 2]) expect(JSON.stringify(await revisions.get(number))).not.toContain('s3cret');
  });

  it('masks secrets of a kind that no adapter uses any more wherever differences are shown', async () => {
    await apply(adapters.prepareCreate('robots', 'BearerAdapter', { realm: 'R', tokens: {}, pin: 's3cret' }));
    await apply(adapters.prepareRemove('robots'));
    const { before, after } = await changes.revision(1);
    const restoration = await new Revisions(changes, new LocalConfiguration(platform.root)).prepareRestore(1);
    const places = {
      'of revisions in the admin API': () => changes.texts.difference(before, after),
      'of a review': () => changes.preview(restoration, ADA),
      'of manual edits': () => {
        writeFileSync(path.join(platform.root, LOCAL_FILE), after ?? '');
        return new PendingReload(platform.host, AuditLog.none()).get();
      },
    };
    for (const [place, show] of Object.entries(places)) {
      // As after a restart: no adapter of the kind is open.
      await platform.host.reload();
      const shown = JSON.stringify(await show());
      expect([place, shown.includes(MASK), shown.includes('s3cret')]).toEqual([place, true, false]);
    }
  });

  it('masks values from environment variables of a contributed kind, and keeps their references', async () => {
    const options = { realm: '${PORT}', tokens: {} };
    const adapter = { robots: { adapter: 'BearerAdapter', options } };
    await start({
      local: { 'platform-mvc-auth': { authentication: { adapters: adapter } } },
    });
    const shown = await adapters.get('robots');
    expect(shown.options.realm).toBe(MASK);
    await apply(adapters.prepareReplace('robots', { ...shown.options, tokens: { 'a-token': 'robot' } }));
    expect(written().robots?.options).toEqual({ realm: '${PORT}', tokens: { 'a-token': 'robot' } });
  });

  it('sends a secret to another host only if it is entered again', async () => {
    const options = {
      endpoint: 'https://login.example/introspect',
      client_id: 'shop',
      client_secret: 's3cret',
    };
    const adapter = { tokens: { adapter: 'IntrospectionAdapter', options } };
    await start({ local: { 'platform-mvc-auth': { authentication: { adapters: adapter } } } });
    const shown = (await adapters.get('tokens')).options;
    for (const endpoint of ['https://evil.example/introspect', 'http://login.example/introspect']) {
      expect(await errorsOf(() => adapters.prepareReplace('tokens', { ...shown, endpoint }))).toEqual(
        expect.arrayContaining([
          {
            pointer: '/options/client_secret',
            message: 'Enter it again: "endpoint" is the URL of another host, to which it would be sent.',
          },
        ]),
      );
    }
    const moved = { ...shown, endpoint: 'https://login.example/v2/introspect' };
    await apply(adapters.prepareReplace('tokens', moved));
    expect(written().tokens?.options).toEqual({ ...moved, client_secret: 's3cret' });
    const entered = { ...shown, endpoint: 'https://other.example/introspect', client_secret: 'other' };
    await apply(adapters.prepareReplace('tokens', entered));
    expect(written().tokens?.options).toEqual(entered);
  });

  it('sends a secret in an environment variable to another host neither by its mask nor by its reference', async () => {
    const endpoint = 'https://login.example/introspect';
    const options = { endpoint, client_id: 'shop', client_secret: 'pw${PORT}' };
    const adapter = { tokens: { adapter: 'IntrospectionAdapter', options } };
    await start({ local: { 'platform-mvc-auth': { authentication: { adapters: adapter } } } });
    for (const secret of [MASK, 'pw${PORT}']) {
      const moved = { ...options, client_secret: secret, endpoint: 'https://evil.example/' };
      expect(await errorsOf(() => adapters.prepareReplace('tokens', moved))).toEqual([
        expect.objectContaining({ pointer: '/options/client_secret' }),
      ]);
    }
    await apply(adapters.prepareReplace('tokens', { ...options, client_id: 'store' }));
    expect(written().tokens?.options).toEqual({ ...options, client_id: 'store' });
  });

  it('sends no secret to another host by undoing one of several changes', async () => {
    const options = { endpoint: 'https://login.example/', client_id: 'shop', client_secret: 's3cret' };
    const other = { ...options, client_secret: 'other' };
    const moved = { ...other, endpoint: 'https://evil.example/' };
    const adapter = { tokens: { adapter: 'IntrospectionAdapter', options } };
    await start({ local: { 'platform-mvc-auth': { authentication: { adapters: adapter } } } });
    const revisions = new Revisions(changes, new LocalConfiguration(platform.root));
    const undo = async (number: number): Promise<unknown> =>
      changes.apply(await revisions.prepareUndo(number), ADA);
    const at = 'platform-mvc-auth.authentication.adapters.tokens.options';
    await apply(adapters.prepareReplace('tokens', other));
    await apply(adapters.prepareReplace('tokens', moved));
    expect(await rejectionOf(() => undo(1))).toMatchObject({
      status: 409,
      detail: expect.stringContaining(`${at}.endpoint has changed since`) as string,
    });
    // The endpoint of before, with another secret than at that time.
    await apply(adapters.prepareReplace('tokens', other));
    await undo(1);
    expect(written().tokens?.options).toEqual(options);
    expect(await rejectionOf(() => undo(3))).toMatchObject({
      status: 409,
      detail: expect.stringContaining(`${at}.client_secret has changed since`) as string,
    });
    expect(written().tokens?.options).toEqual(options);
  });

  it('undoes a change of a secret if its host is the same', async () => {
    const options = { endpoint: 'https://login.example/', client_id: 'shop', client_secret: 's3cret' };
    const adapter = { tokens: { adapter: 'IntrospectionAdapter', options } };
    await start({ local: { 'platform-mvc-auth': { authentication: { adapters: adapter } } } });
    const other = { ...options, client_secret: 'other' };
    const moved = { ...other, endpoint: 'https://login.example/v2' };
    await apply(adapters.prepareReplace('tokens', other));
    await apply(adapters.prepareReplace('tokens', moved));
    const revisions = new Revisions(changes, new LocalConfiguration(platform.root));
    await changes.apply(await revisions.prepareUndo(1), ADA);
    expect(written().tokens?.options).toEqual({ ...moved, client_secret: 's3cret' });
  });

  it('keeps a secret whose URL is in an environment variable', async () => {
    const options = { endpoint: 'http://localhost:${PORT}/', client_id: 'shop', client_secret: 's3cret' };
    const adapter = { tokens: { adapter: 'IntrospectionAdapter', options } };
    await start({ local: { 'platform-mvc-auth': { authentication: { adapters: adapter } } } });
    const shown = (await adapters.get('tokens')).options;
    expect(shown.endpoint).toBe(MASK);
    await apply(adapters.prepareReplace('tokens', { ...shown, client_id: 'store' }));
    expect(written().tokens?.options).toEqual({ ...options, client_id: 'store' });
  });

  it('changes the tag of the adapter', async () => {
    const { tag } = await adapters.get('people');
    await apply(adapters.prepareReplace('people', { ...BASIC, realm: 'Everyone' }));
    expect((await adapters.get('people')).tag).not.toBe(tag);
  });
});

describe('Removing an adapter', () => {
  it('is rejected with the map entries that use it', async () => {
    const problem = await rejectionOf(() => adapters.prepareRemove('people'));
    expect([problem.status, problem.detail]).toEqual([409, expect.stringContaining('in use by *')]);
  });

  it('removes the key from the file', async () => {
    await apply(adapters.prepareCreate('club', 'HttpAdapter', DIGEST));
    await apply(adapters.prepareRemove('club'));
    expect(Object.keys(written())).toEqual(['people']);
  });

  it('writes null to override a lower layer', async () => {
    const below = authenticatedBy('below');
    await start({
      local: { 'platform-mvc-auth': { authentication: { map: { '*': null } } } },
      files: { 'config/autoload/global.json': JSON.stringify(below) },
    });
    await apply(adapters.prepareRemove('below'));
    expect(written().below).toBeNull();
    expect(await adapters.list()).toEqual([]);
  });
});

describe('The check of options', () => {
  const messages = async (options: ConfigObject): Promise<readonly string[]> =>
    (await adapters.check('HttpAdapter', options)).map(({ level, message }) => `${level}: ${message}`);

  it('reports the number of users and the offered Digest algorithms', async () => {
    expect(await messages(BASIC)).toEqual(['ok: config/people.htpasswd has 2 users.']);
    expect(await messages(DIGEST)).toEqual([
      'ok: config/club.htdigest has 1 user in the realm "Club". Algorithms: MD5.',
    ]);
  });

  it('names the realms with users in the file', async () => {
    expect((await messages({ ...DIGEST, realm: 'Pub' })).join()).toContain(
      'Realms in the file: Club, Elsewhere.',
    );
  });

  it('offers to create a missing file', async () => {
    expect(await adapters.check('HttpAdapter', { ...BASIC, htpasswd: 'data/new.htpasswd' })).toEqual([
      expect.objectContaining({
        file: { path: 'data/new.htpasswd', kind: 'htpasswd', exists: false, realm: 'People' },
      }),
    ]);
  });

  it('warns about invalid lines, an empty file, and sample passwords', async () => {
    writeFileSync(path.join(platform.root, 'config/sample.htpasswd'), 'ada:abcdefghijklm\n');
    const found = await messages({ ...BASIC, htpasswd: 'config/sample.htpasswd' });
    expect(found).toEqual([
      'warning: config/sample.htpasswd has no users yet: nobody can sign in.',
      expect.stringContaining('line 1'),
      expect.stringContaining('Sample passwords: replace them.'),
    ]);
  });

  it('reports all errors at once', async () => {
    const found = await adapters.check('HttpAdapter', {
      ...DIGEST,
      realm: 'a"b',
      nonce_timeout: 'soon',
      digest_domains: 'ü',
      htdigest: '',
    });
    expect(found.map(({ pointer }) => pointer)).toEqual([
      '/options/htdigest',
      '/options/nonce_timeout',
      '/options/realm',
      '/options/digest_domains',
    ]);
  });

  it('opens an adapter of a contributed kind', async () => {
    expect(await adapters.check('BearerAdapter', { realm: 'x', tokens: {} })).toEqual([]);
    expect(await adapters.check('BearerAdapter', { realm: 'x', tokens: { a: 1 } })).toEqual([
      expect.objectContaining({ level: 'error', pointer: '/options/tokens/a' }),
    ]);
  });
});

describe('A test sign-in', () => {
  const tried = (username: string, password: string, name = 'people') =>
    adapters.trySignIn(name, { username, password, address: HERE });

  it('reports the user who signed in with Basic', async () => {
    expect(await tried('ada', 'password')).toEqual({
      outcome: 'signed in',
      username: 'ada',
      groups: [],
      steps: ['Basic: password accepted.'],
    });
  });

  it('reports the groups', async () => {
    await apply(adapters.prepareReplace('people', { ...BASIC, htgroup: 'config/people.htgroup' }));
    expect((await tried('ada', 'password')).groups).toEqual(['staff']);
  });

  it('distinguishes a wrong password from an unknown user', async () => {
    expect((await tried('ada', 'wrong')).steps).toEqual(['Basic: wrong password.']);
    expect((await tried('eve', 'password')).steps).toEqual(['Basic: user "eve" does not exist.']);
  });

  it('reports which Digest algorithms accept the password, strongest first', async () => {
    const hash = (name: string, user: string, password: string): string =>
      createHash(name).update(`${user}:Club:${password}`).digest('hex');
    const lines = [
      `ada:Club:${hash('sha256', 'ada', 'new one')}`,
      `ada:Club:{SHA-512-256}${hash('sha512-256', 'ada', 'new one')}`,
      `ada:Club:${hash('md5', 'ada', 'old one')}`,
    ];
    const file = path.join(platform.root, 'config/all.htdigest');
    writeFileSync(file, lines.join('\n'));
    const options = { ...DIGEST, htdigest: 'config/all.htdigest', qop: ['auth-int'] };
    await apply(adapters.prepareCreate('all', 'HttpAdapter', options));
    expect(await tried('ada', 'new one', 'all')).toMatchObject({
      outcome: 'refused',
      steps: [
        'Digest with SHA-256: password accepted.',
        'Digest with SHA-512-256: password accepted.',
        'Digest with MD5: wrong password.',
      ],
    });
    expect((await tried('eve', 'x', 'all')).steps).toEqual([
      'Digest with SHA-256: user "eve" does not exist.',
    ]);
    writeFileSync(file, [...lines, `bob:Club:${hash('md5', 'bob', 'mine')}`].join('\n'));
    await apply(adapters.prepareReplace('all', { ...options, nonce_timeout: '60' }));
    expect((await tried('bob', 'mine', 'all')).outcome).toBe('signed in');
  });

  it('counts towards throttling like every sign-in', async () => {
    discard();
    for (let guess = 0; guess < 10; guess++) await tried('ada', `wrong ${guess}`);
    expect((await tried('ada', 'password')).outcome).toBe('throttled');
    const authorization = `Basic ${Buffer.from('ada:password').toString('base64')}`;
    expect((await platform.request('/atlas/countries', { headers: { authorization } })).status).toBe(429);
  });

  it('is not possible with a kind that does not verify passwords', async () => {
    await apply(adapters.prepareCreate('robots', 'BearerAdapter', { realm: 'x', tokens: {} }));
    expect((await tried('ada', 'password', 'robots')).outcome).toBe('untestable');
  });

  it('is not logged', async () => {
    await tried('ada', 'hunter2-hunter2');
    expect(JSON.stringify(platform.log.lines)).not.toContain('hunter2');
  });
});
