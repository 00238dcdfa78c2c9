import { Command } from 'commander';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { registerUser } from '../../src/command-line/user-command';
import { readGroupTable } from '../../src/modules/mvc-auth';
import { createSqliteTables } from '../factories/database/created-tables';
import { DigestClient } from '../factories/sign-in/digest-client';
import { makeProject, startTestPlatform } from '../factories/platform';
import { basic } from '../factories/http/requests';
import { HOSTING } from '../factories/processes/start-refusal';
import { ClubModule } from '../fixtures/club-module';
import type { ConfigObject } from '../../src/framework';

interface Ended {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

async function run(root: string, words: readonly string[], input = ''): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough({ encoding: 'utf8' }), new PassThrough({ encoding: 'utf8' })];
  let code: number | undefined;
  const program = new Command('platform')
    .exitOverride()
    .configureOutput({ writeErr: (text) => stderr.write(text) });
  registerUser(program, {
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false }),
    stdout,
    stderr,
    environment: {},
    exit: (given) => (code = given),
  });
  await program.parseAsync(['user', ...words, '--root', root], { from: 'user' });
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

const http = (options: ConfigObject): ConfigObject => ({
  adapter: 'HttpAdapter',
  options: { realm: 'Club', ...options },
});
const projectOf = (adapters: ConfigObject, map: ConfigObject, db: ConfigObject = {}) => ({
  modules: [...HOSTING, 'database'],
  local: {
    'platform-db': { adapters: db },
    'platform-mvc-auth': { authentication: { adapters, map } },
  },
});

describe('apidesc-platform user, over password files', () => {
  let root: string;
  beforeEach(() => {
    root = makeProject(
      projectOf(
        {
          basic: http({ accept_schemes: ['basic'], htpasswd: 'data/passwords', htgroup: 'data/groups' }),
          digest: http({ accept_schemes: ['digest'], nonce_timeout: '60', htdigest: 'data/digests' }),
          service: http({ accept_schemes: ['basic'], source: 'Directory' }),
          keys: { adapter: 'ApiKeyAdapter', options: { keys: 'data/keys.json' } },
        },
        { '*': 'basic' },
      ),
    );
    mkdirSync(path.join(root, 'data'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const text = (file: string): string => readFileSync(path.join(root, 'data', file), 'utf8');

  it('adds users with groups, changes passwords, and removes them', async () => {
    expect(await run(root, ['add', 'basic', 'ada', '-g', 'staff', '-g', 'admins'], 'one\n')).toEqual({
      code: 0,
      out: 'Added user "ada" to data/passwords.\n',
      err: '',
    });
    const first = text('passwords');
    expect(first).toMatch(/^ada:\$2y\$12\$/);
    expect(text('groups')).toBe('staff: ada\nadmins: ada\n');
    expect(await run(root, ['passwd', 'basic', 'ada'], 'two\n')).toMatchObject({ code: 0 });
    expect(text('passwords')).not.toBe(first);
    expect(await run(root, ['groups', 'basic', 'ada'])).toMatchObject({ out: 'staff\nadmins\n' });
    const disabled = await run(root, ['disable', 'basic', 'ada']);
    expect(disabled.out).toContain(
      'Removed the password of user "ada" from data/passwords, since password files',
    );
    expect(text('passwords')).toBe('');
  });

  it('writes the lines of Digest that the realm needs', async () => {
    expect(await run(root, ['add', 'digest', 'ada'], 'one\n')).toMatchObject({ code: 0 });
    expect(text('digests')).toMatch(/^ada:Club:[0-9a-f]{32}\nada:Club:[0-9a-f]{64}\n$/);
    expect((await run(root, ['groups', 'digest', 'ada', 'staff'])).err).toContain(
      'The adapter has no group file. Set "htgroup"',
    );
  });

  it('keeps comments, other users and the order of a group file', async () => {
    const before = '# people\nstaff: bob "Jane Doe" ada\n\nops: bob\nnonsense\nempty: ada';
    writeFileSync(path.join(root, 'data/groups'), before);
    writeFileSync(path.join(root, 'data/passwords'), 'ada:x\n');
    await run(root, ['groups', 'basic', 'ada', 'ops', 'new']);
    expect(text('groups')).toBe('# people\nstaff: bob "Jane Doe"\n\nops: bob ada\nnonsense\nnew: ada\n');
    await run(root, ['groups', 'basic', 'Jane Doe', 'ops']);
    expect(readGroupTable(text('groups')).groups.get('Jane Doe')).toEqual(['ops']);
    await run(root, ['groups', 'basic', 'ada', '--none']);
    expect(text('groups')).toBe('# people\nstaff: bob\n\nops: bob "Jane Doe"\nnonsense\n');
  });

  it.each<[string, string[], string]>([
    [
      'an unknown adapter',
      ['add', 'basik', 'ada'],
      'The adapter "basik" is not configured. Did you mean "basic"?',
    ],
    ['a user of a service', ['add', 'service', 'ada'], 'belong to the service "Directory"'],
    ['an adapter of keys', ['add', 'keys', 'ada'], 'Use "apidesc-platform key".'],
    ['a name with a colon', ['add', 'basic', 'a:b'], 'The user name contains a colon'],
    ['an unknown user', ['passwd', 'basic', 'ada'], 'data/passwords has no user "ada"'],
    ['to disable an unknown user', ['disable', 'basic', 'ada'], 'data/passwords has no user "ada"'],
    ['to enable a user of a file', ['enable', 'basic', 'ada'], 'Password files have no disabled users'],
    ['groups of an unknown user', ['groups', 'basic', 'ada', 'staff'], 'data/passwords has no user "ada"'],
    ['to print the groups of an unknown user', ['groups', 'basic', 'ada'], 'has no user "ada"'],
    ['a group with a space', ['groups', 'basic', 'ada', 'a b'], 'The group "a b" cannot be stored'],
    ['groups and none of them', ['groups', 'basic', 'ada', 'x', '--none'], 'Name groups, or use --none.'],
  ])('refuses %s, and changes nothing', async (_, words, reason) => {
    const ended = await run(root, words, 'password\n');
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain(reason);
    for (const file of ['passwords', 'groups']) expect(existsSync(path.join(root, 'data', file))).toBe(false);
  });

  it('refuses an existing user and an invalid password', async () => {
    await run(root, ['add', 'basic', 'ada'], 'one\n');
    const before = text('passwords');
    expect((await run(root, ['add', 'basic', 'ada'], 'two\n')).err).toContain(
      'The user "ada" already exists in data/passwords',
    );
    expect((await run(root, ['passwd', 'basic', 'ada'], 'x'.repeat(73))).err).toContain(
      'longer than 72 bytes',
    );
    expect((await run(root, ['passwd', 'basic', 'ada'])).err).toContain(
      'Standard input contains no password',
    );
    expect(text('passwords')).toBe(before);
  });
});

it('changes the users of a table, who then sign in with Basic and Digest', async () => {
  const db = createSqliteTables(
    `CREATE TABLE users (email TEXT NOT NULL UNIQUE, hash TEXT, md5 TEXT, sha TEXT, roles TEXT, enabled BOOLEAN, since TEXT NOT NULL DEFAULT 'now');
     CREATE TABLE bare (email TEXT PRIMARY KEY, hash TEXT, team TEXT NOT NULL);`,
  );
  const users = {
    db: 'main',
    table: 'users',
    name: 'email',
    hash: 'hash',
    ha1: { MD5: 'md5', 'SHA-256': 'sha' },
  };
  const more = { groups: 'roles', enabled: 'enabled' };
  const project = (map: ConfigObject) =>
    projectOf(
      {
        basic: http({ accept_schemes: ['basic'], users: { ...users, ...more } }),
        digest: http({ accept_schemes: ['digest'], nonce_timeout: '60', users: { ...users, ...more } }),
        bare: http({
          accept_schemes: ['basic'],
          users: { db: 'main', table: 'bare', name: 'email', hash: 'hash' },
        }),
      },
      map,
      { main: db },
    );
  const platform = await startTestPlatform({
    ...project({ Club: 'basic', Annex: 'digest' }),
    extra: [new ClubModule()],
  });
  // The project of the platform names a module that only the test has: the command has its own.
  const root = makeProject(project({ '*': 'basic' }));
  try {
    const table = 'the table "users" of the database "main"';
    const basicStatus = async (password: string): Promise<number> =>
      (await platform.request('/club/members', { headers: { Authorization: basic('ada', password) } }))
        .status;
    expect(await run(root, ['add', 'basic', 'ada', '-g', 'staff'], 'one\n')).toEqual({
      code: 0,
      out: `Added user "ada" to ${table}.\n`,
      err: '',
    });
    expect(await basicStatus('one')).toBe(200);
    const digest = new DigestClient({ username: 'ada', password: 'one' });
    expect((await digest.fetch(`${platform.origin}/annex/door`)).status).toBe(200);
    expect(await run(root, ['groups', 'digest', 'ada'])).toMatchObject({ out: 'staff\n' });
    expect(await run(root, ['disable', 'digest', 'ada'])).toMatchObject({ out: 'Disabled user "ada".\n' });
    expect((await run(root, ['add', 'basic', 'ada'], 'x\n')).code).toBe(1);
    expect(await run(root, ['enable', 'digest', 'ada'])).toMatchObject({ out: 'Enabled user "ada".\n' });
    expect(await run(root, ['passwd', 'basic', 'ada'], 'two\n')).toMatchObject({ code: 0 });
    const refused = await run(root, ['add', 'bare', 'bob'], 'x\n');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('Columns that the adapter does not name need a default');
    expect((await run(root, ['groups', 'bare', 'ada', 'staff'])).code).toBe(1);
    expect((await run(root, ['passwd', 'basic', 'nobody'], 'x\n')).err).toContain(`no user "nobody"`);
  } finally {
    await platform.stop();
    rmSync(root, { recursive: true, force: true });
  }
});

it('apidesc-platform user says which table cannot be reached', async () => {
  const users = { db: 'main', table: 'users', name: 'name', hash: 'hash', enabled: 'enabled' };
  const db = { main: { adapter: 'PostgresAdapter', options: { url: 'postgres://ada@127.0.0.1:1/club' } } };
  const root = makeProject(projectOf({ basic: http({ accept_schemes: ['basic'], users }) }, {}, db));
  const table = 'The table "users" of the database "main" cannot be';
  try {
    for (const words of [['groups'], ['add'], ['passwd'], ['disable']])
      expect(await run(root, [...words, 'basic', 'ada'], 'secret word\n')).toEqual({
        code: 1,
        out: '',
        err: `${table} ${words.includes('groups') || words.includes('add') ? 'read' : 'changed'}: the database cannot be reached\n`,
      });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
