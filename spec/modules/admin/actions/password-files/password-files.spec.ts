import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LocalConfiguration } from '../../../../../src/framework';
import {
  PasswordFiles,
  type FileUser,
  type NewPassword,
} from '../../../../../src/modules/admin/actions/password-files/password-files';
import type { Actor } from '../../../../../src/modules/admin/changes/change';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import { hashQuickly, WITH_ADMIN } from '../../../../factories/admin/admin';
import { digestLine, digestLines } from '../../../../factories/sign-in/digest-line';
import { plantLock } from '../../../../factories/processes/planted-lock';
import { startTestPlatform, type TestProject } from '../../../../factories/platform';
import { rejectionOf } from '../../../../factories/rejection';
import { reusedPlatform } from '../../../../factories/reused-platform';
import { authenticatedBy, PEOPLE } from '../../../../fixtures/people';

const ADA: Actor = { name: 'ada', via: 'page', address: '127.0.0.1' };
const PEOPLE_FILE = 'config/people.htpasswd';
const CLUB_FILE = 'config/club.htdigest';
const LINKS = [
  ['/etc', 'out'],
  ['/tmp', 'temporary'],
  ['nothing', 'dangling'],
  ['loop', 'loop'],
  ['data/administrators.htpasswd', 'admins'],
  ['../.env', 'data/out.users'],
] as const;
const SECRET = `api_key:${'a1'.repeat(20)}\nmilk:butter\n`;
const SECRETS = { '.env': SECRET, 'config/keys.txt': SECRET, 'data/keys': SECRET };

let files: PasswordFiles;
const { platform, restart } = reusedPlatform(async (project: TestProject = {}) => {
  const local = authenticatedBy('people', {});
  const auth = local['platform-mvc-auth'] as { authentication: { adapters: Record<string, unknown> } };
  auth.authentication.adapters.club = {
    adapter: 'HttpAdapter',
    options: { accept_schemes: ['digest'], realm: 'Club', htdigest: CLUB_FILE, nonce_timeout: '3600' },
  };
  const started = await startTestPlatform({
    modules: WITH_ADMIN,
    local,
    files: {
      ...PEOPLE,
      [CLUB_FILE]: `# members\n${digestLine('ada', 'Club', 'password')}\n${digestLine('bob', 'Pub', 'password')}\n`,
      'notes.txt': 'Buy milk.\n',
      ...SECRETS,
      'data/administrators.htpasswd': 'root:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n',
    },
    ...project,
  });
  for (const [target, link] of LINKS) symlinkSync(target, path.join(started.root, link));
  return started;
});
beforeAll(hashQuickly);
beforeEach(connect);

function connect(): void {
  files = new PasswordFiles(new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root)));
}

/** Prepares and applies changes. */
const edit = {
  create: async (file: string, actor: Actor) => (await files.create(file, actor)).apply(),
  addUser: async (file: string, user: FileUser, password: NewPassword, actor: Actor) =>
    (await files.addUser(file, user, password, actor)).apply(),
  setPassword: async (file: string, user: FileUser, password: NewPassword, actor: Actor) =>
    (await files.setPassword(file, user, password, actor)).apply(),
  removeUser: async (file: string, user: FileUser, actor: Actor) =>
    (await files.removeUser(file, user, actor)).apply(),
};
const textOf = (file: string): string => readFileSync(path.join(platform.root, file), 'utf8');
const basic = async (user: string, password: string): Promise<number> => {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return (await platform.request('/atlas/countries', { headers: { authorization } })).status;
};
const eventually = async (status: number, ask: () => Promise<number>): Promise<void> => {
  const end = Date.now() + 15_000;
  for (let found = await ask(); found !== status; found = await ask()) {
    if (Date.now() > end) throw new Error(`It stayed ${found}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
const pointerOf = async (action: () => Promise<unknown>): Promise<unknown> => {
  const { status, extensions } = await rejectionOf(action);
  return [status, (extensions.errors as { pointer: string }[] | undefined)?.[0]?.pointer];
};

describe('The list of password files', () => {
  it('contains the files of adapters with their number of users', async () => {
    expect(await files.list()).toEqual([
      expect.objectContaining({ path: PEOPLE_FILE, kind: 'htpasswd', adapters: ['people'], users: 2 }),
      expect.objectContaining({ path: CLUB_FILE, kind: 'htdigest', adapters: ['club'], users: 2 }),
    ]);
  });
});

describe('A password file', () => {
  it('is shown with its users, realms and algorithms, without hashes', async () => {
    const club = await files.read(CLUB_FILE);
    expect(club.realms).toEqual([
      { realm: 'Club', users: [{ name: 'ada', algorithms: ['MD5'] }] },
      { realm: 'Pub', users: [{ name: 'bob', algorithms: ['MD5'] }] },
    ]);
    const people = await files.read(PEOPLE_FILE);
    expect(people.realms).toEqual([
      {
        realm: null,
        users: [
          { name: 'ada', algorithms: [] },
          { name: 'bob', algorithms: [] },
        ],
      },
    ]);
    expect(JSON.stringify([club, people])).not.toMatch(/SHA\}|[0-9a-f]{32}/);
  });

  it('is the same file under different spellings of its path and through a symbolic link', async () => {
    symlinkSync('people.htpasswd', path.join(platform.root, 'config/link.htpasswd'));
    for (const one of [
      './config/../config/people.htpasswd',
      'config/link.htpasswd',
      path.join(platform.root, PEOPLE_FILE),
    ]) {
      expect((await files.read(one)).adapters.map(({ adapter }) => adapter)).toEqual(['people']);
    }
  });

  it.each([
    ['../outside', 422],
    ['/etc/passwd', 422],
    ['config/people.htpasswd\u0000.txt', 422],
    ['out/passwd', 422],
    ['dangling', 422],
    ['loop', 422],
    ['config', 422],
    ['', 422],
    ['notes.txt', 422],
    ['config/application.json', 422],
    ['data/administrators.htpasswd', 422],
    ['admins', 422],
    ['data/nowhere.users', 404],
    ['nowhere', 422],
    ['.env', 422],
    ['config/autoload/local.json', 422],
    ['config/keys.txt', 422],
    ['data/keys', 422],
    ['data/out.users', 422],
  ])('cannot be opened at %j', async (file, status) => {
    const problem = await rejectionOf(() => files.read(file));
    expect(problem.status).toBe(status);
    expect(JSON.stringify(problem)).not.toMatch(/milk|mvc-auth|SHA|api_key/);
  });

  it('reveals nothing about files in other folders, not even whether they exist', async () => {
    writeFileSync(path.join(platform.root, 'there.users'), PEOPLE[PEOPLE_FILE]);
    const [there, missing] = await Promise.all(
      ['there.users', 'gone.users'].map(async (file) => {
        const problem = await rejectionOf(() => files.read(file));
        return JSON.stringify([problem, problem.extensions]).replaceAll(file, 'FILE');
      }),
    );
    expect(there).toBe(missing);
    expect(there).toContain('platform-admin.password_file_folders: data, config');
  });

  it('can be opened in the configured folders and if an adapter uses it', async () => {
    const local = authenticatedBy('people');
    await restart({
      local: { ...local, 'platform-admin': { password_file_folders: ['users'] } },
      files: { ...PEOPLE, 'users/club': PEOPLE[PEOPLE_FILE], 'data/club.users': PEOPLE[PEOPLE_FILE] },
    });
    connect();
    expect((await files.read('users/club')).realms[0]?.users).toHaveLength(2);
    expect((await files.read(PEOPLE_FILE)).realms[0]?.users).toHaveLength(2);
    expect((await rejectionOf(() => files.read('data/club.users'))).status).toBe(422);
    await edit.create('users/new.users', ADA);
    expect((await rejectionOf(() => edit.create('data/new.users', ADA))).status).toBe(422);
  });
});

describe('A user', () => {
  it('is added, can sign in immediately, gets a new password, and is removed', async () => {
    expect(await basic('eve', 'first one')).toBe(401);
    await edit.addUser(PEOPLE_FILE, { user: 'eve' }, { password: 'first one' }, ADA);
    await eventually(200, () => basic('eve', 'first one'));
    await edit.setPassword(PEOPLE_FILE, { user: 'eve' }, { password: 'second one' }, ADA);
    await eventually(200, () => basic('eve', 'second one'));
    expect(await basic('eve', 'first one')).toBe(401);
    await edit.removeUser(PEOPLE_FILE, { user: 'eve' }, ADA);
    await eventually(401, () => basic('eve', 'second one'));
    expect(textOf(PEOPLE_FILE)).toBe(PEOPLE[PEOPLE_FILE]);
  });

  it('belongs to a realm in Digest files, and other lines are kept', async () => {
    const before = textOf(CLUB_FILE);
    await edit.addUser(CLUB_FILE, { user: 'eve', realm: 'Club' }, { password: 'secret words' }, ADA);
    expect(textOf(CLUB_FILE)).toBe(before + digestLines('eve', 'Club', 'secret words'));
    await edit.removeUser(CLUB_FILE, { user: 'eve', realm: 'Club' }, ADA);
    expect(textOf(CLUB_FILE)).toBe(before);
  });

  it('cannot be added twice', async () => {
    expect(
      await pointerOf(() => edit.addUser(PEOPLE_FILE, { user: 'ada' }, { password: 'mine now' }, ADA)),
    ).toEqual([409, '/user']);
    expect(textOf(PEOPLE_FILE)).toBe(PEOPLE[PEOPLE_FILE]);
  });

  it('must exist for setting its password and removing it', async () => {
    expect(
      await pointerOf(() => edit.setPassword(PEOPLE_FILE, { user: 'eve' }, { password: 'x' }, ADA)),
    ).toEqual([404, undefined]);
    expect(await pointerOf(() => edit.removeUser(PEOPLE_FILE, { user: 'eve' }, ADA))).toEqual([
      404,
      undefined,
    ]);
    expect(textOf(PEOPLE_FILE)).toBe(PEOPLE[PEOPLE_FILE]);
  });

  it('cannot be removed if it is the last user of a Digest adapter', async () => {
    const problem = await rejectionOf(() => edit.removeUser(CLUB_FILE, { user: 'ada', realm: 'Club' }, ADA));
    expect([problem.status, problem.detail]).toEqual([409, expect.stringContaining('"club"')]);
    await edit.removeUser(CLUB_FILE, { user: 'bob', realm: 'Pub' }, ADA);
    await platform.host.reload();
  });

  it.each([
    ['a:b', undefined, 'password', '/user'],
    ['', undefined, 'password', '/user'],
    ['a\nroot:{SHA}x', undefined, 'password', '/user'],
    ['#a', undefined, 'password', '/user'],
    ['eve', undefined, '', '/password'],
    ['eve', undefined, 'x'.repeat(73), '/password'],
    ['eve', undefined, 'two\nlines', '/password'],
    ['eve', 'a:b', 'password', '/realm'],
    ['eve', '', 'password', '/realm'],
  ])(
    'is rejected by the rules of the command line: %j of %j with %j',
    async (user, realm, password, pointer) => {
      const file = realm === undefined ? PEOPLE_FILE : CLUB_FILE;
      const before = textOf(file);
      const who = realm === undefined ? { user } : { user, realm };
      expect(await pointerOf(() => edit.addUser(file, who, { password }, ADA))).toEqual([422, pointer]);
      expect(textOf(file)).toBe(before);
    },
  );

  it('is reviewed with masked hashes before anything is written', async () => {
    const before = textOf(CLUB_FILE);
    const club = { user: 'ada', realm: 'Club' };
    const set = await files.setPassword(CLUB_FILE, club, { password: 'new words' }, ADA);
    expect((await set.review()).difference).toEqual([
      { path: 'ada (Club)', before: 'MD5 ••••••', after: 'MD5 •••••• (new)' },
      { path: 'ada (Club)', after: 'SHA-256 ••••••' },
    ]);
    const pub = { user: 'bob', realm: 'Pub' };
    expect((await (await files.removeUser(CLUB_FILE, pub, ADA)).review()).difference).toEqual([
      { path: 'bob (Pub)', before: 'MD5 ••••••' },
    ]);
    expect(await (await files.create('data/new.users', ADA)).review()).toMatchObject({
      difference: [{ path: 'data/new.users', after: 'an empty file' }],
    });
    expect(textOf(CLUB_FILE)).toBe(before);
  });

  it('keeps a password that was changed after the review', async () => {
    const user = { user: 'ada' };
    const [mine, theirs] = await Promise.all([
      files.setPassword(PEOPLE_FILE, user, { password: 'mine' }, ADA),
      files.setPassword(PEOPLE_FILE, user, { password: 'theirs' }, ADA),
    ]);
    const { tag } = await mine.review();
    await theirs.apply();
    const after = textOf(PEOPLE_FILE);
    expect((await rejectionOf(() => mine.apply(tag))).status).toBe(412);
    expect(textOf(PEOPLE_FILE)).toBe(after);
    await mine.apply((await mine.review()).tag);
    await eventually(200, () => basic('ada', 'mine'));
  });

  it('is logged without the password', async () => {
    await edit.addUser(PEOPLE_FILE, { user: 'eve' }, { password: 'hunter2-hunter2' }, ADA);
    const lines = JSON.stringify(platform.log.lines);
    expect(lines).toContain('"by":"ada","via":"page","file":"config/people.htpasswd","user":"eve"');
    expect(lines).not.toContain('hunter2');
  });

  it('is added by each of several concurrent requests', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `user-${at}`);
    await Promise.all(
      names.map((user) => edit.addUser(CLUB_FILE, { user, realm: 'Club' }, { password: 'a password' }, ADA)),
    );
    const [club] = (await files.read(CLUB_FILE)).realms;
    expect(club?.users.map(({ name }) => name).sort()).toEqual(['ada', ...names]);
  });
});

describe('A new password file', () => {
  it('is empty and readable by its owner only, and its folders are created', async () => {
    await edit.create('data/new/atlas.htdigest', ADA);
    expect(textOf('data/new/atlas.htdigest')).toBe('');
    expect(statSync(path.join(platform.root, 'data/new/atlas.htdigest')).mode & 0o777).toBe(0o600);
    await edit.addUser(
      'data/new/atlas.htdigest',
      { user: 'ada', realm: 'Atlas' },
      { password: 'password' },
      ADA,
    );
    expect((await files.read('data/new/atlas.htdigest')).kind).toBe('htdigest');
  });

  it('has the requested format regardless of its name', async () => {
    await edit.create('data/people.users', ADA);
    expect((await files.read('data/people.users', 'htdigest')).kind).toBe('htdigest');
    expect((await files.read('data/people.users')).kind).toBe('htpasswd');
  });

  it('does not overwrite an existing file', async () => {
    expect(await pointerOf(() => edit.create(PEOPLE_FILE, ADA))).toEqual([409, '/file']);
    expect(textOf(PEOPLE_FILE)).toBe(PEOPLE[PEOPLE_FILE]);
  });

  it.each([
    'config/autoload/evil.local.js',
    'config/autoload/evil.local.json',
    'src/evil.ts',
    'page.html',
    'data/page.html',
    'data/crontab',
    'config/Makefile',
    'people.users',
    '.git/hooks/pre-commit',
    '.npmrc/users',
    'node_modules/left/users',
    '../users',
    '/tmp/users',
    'temporary/users',
    'data/administrators.htpasswd',
    'a\nb',
    'notes.txt/users',
  ])('cannot be created at %j', async (file) => {
    expect((await rejectionOf(() => edit.create(file, ADA))).status).toBeGreaterThanOrEqual(409);
    expect(existsSync(path.resolve(platform.root, 'config/autoload/evil.local.js'))).toBe(false);
    expect(existsSync('/tmp/users')).toBe(false);
  });

  it('cannot be a script behind a symbolic link', async () => {
    writeFileSync(path.join(platform.root, 'hook.js'), '');
    symlinkSync('../hook.js', path.join(platform.root, 'data/users'));
    const refused = await pointerOf(() =>
      edit.addUser('data/users', { user: 'x()//' }, { password: 'password' }, ADA),
    );
    expect(refused).toEqual([422, '/file']);
    expect(textOf('hook.js')).toBe('');
  });

  it('is rejected with the reason if the file cannot be written', async () => {
    // The lock of another process excludes everyone, including root.
    plantLock(path.join(platform.root, PEOPLE_FILE));
    const refused = await rejectionOf(() =>
      edit.addUser(PEOPLE_FILE, { user: 'eve' }, { password: 'password' }, ADA),
    );
    expect([refused.status, refused.detail]).toEqual([
      507,
      expect.stringMatching(/^Nothing was changed: .* another process is changing it/),
    ]);
    // The suffix of temporary files makes this name too long.
    const long = await rejectionOf(() => edit.create(`data/${'x'.repeat(244)}.users`, ADA));
    expect([long.status, long.detail]).toEqual([507, expect.stringContaining('Nothing was changed')]);
    expect(textOf(PEOPLE_FILE)).toBe(PEOPLE[PEOPLE_FILE]);
  });
});
