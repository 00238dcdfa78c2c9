import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { registerAdapter } from '../../src/command-line/adapter-command';
import { registerRevision } from '../../src/command-line/revision-command';
import { registerSelector } from '../../src/command-line/selector-command';
import { WITH_ADMIN } from '../factories/admin/admin';
import { runWords, type CommandResult } from '../factories/processes/command';
import { makeProject } from '../factories/platform';
import { CLI, run } from '../factories/processes/processes';
import { PEOPLE } from '../fixtures/people';

let root: string;
/** Without the sample API, which each command would compile, and whose database it would open. */
const MODULES = WITH_ADMIN.filter((name) => name !== 'atlas');
beforeEach(() => (root = makeProject({ modules: MODULES, files: PEOPLE })));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const platform = (...words: readonly string[]): Promise<CommandResult> =>
  runWords([registerAdapter, registerSelector, registerRevision], [...words, '--root', root], {
    USER: 'grace',
  });

const file = (): string => path.join(root, 'config/autoload/local.json');
const local = (): unknown => JSON.parse(readFileSync(file(), 'utf8'));
const addPeople = (): Promise<CommandResult> =>
  platform('adapter', 'add', 'people', '--basic', 'config/people.htpasswd', '--realm', 'People');

it('completes its work when nobody reads its output', async () => {
  const shell =
    '("$0" "$1" adapter add people --basic config/people.htpasswd --realm People --root "$2"; echo "$?" >&2) | true';
  const { output } = await run('sh', ['-c', shell, process.execPath, CLI, root]);
  expect(output).toBe('0\n');
  expect(local()).toHaveProperty(['platform-mvc-auth', 'authentication', 'adapters', 'people']);
});

// Only root may give files away.
const asRoot = process.getuid?.() === 0 ? it : it.skip;
const owner = 65_534;
const logTo = (file: string): void => {
  const log = { 'platform-operations': { access_log: { enabled: true, file } } };
  writeFileSync(path.join(root, 'config/autoload/log.global.json'), JSON.stringify(log));
};

asRoot('as root gives what it creates to the owner of the folders', async () => {
  rmSync(root, { recursive: true });
  // With a database, which the command opens.
  root = makeProject({ modules: WITH_ADMIN, files: PEOPLE });
  logTo('data/log/access.log');
  rmSync(file());
  const all = (): readonly string[] => readdirSync(root, { recursive: true, encoding: 'utf8' });
  for (const name of ['.', ...all()]) chownSync(path.join(root, name), owner, owner);
  expect(await addPeople()).toMatchObject({ code: 0 });
  const created = [
    'config/autoload/local.json',
    'data/revisions/000001.json',
    'data/audit.log',
    'data/log/access.log',
  ];
  expect(all()).toEqual(expect.arrayContaining(created));
  expect(all().filter((name) => lstatSync(path.join(root, name)).uid !== owner)).toEqual([]);
});

asRoot('as root gives nobody the file that a link in their folder leads to', async () => {
  const names = ['access.log', 'audit.log'];
  logTo('data/access.log');
  for (const folder of ['data', 'of-root']) mkdirSync(path.join(root, folder), { recursive: true });
  chownSync(path.join(root, 'data'), owner, owner);
  for (const name of names) symlinkSync(`../of-root/${name}`, path.join(root, 'data', name));
  expect(await addPeople()).toMatchObject({ code: 0 });
  expect(readdirSync(path.join(root, 'of-root'))).toEqual(expect.arrayContaining(names));
  for (const name of names) expect(lstatSync(path.join(root, 'of-root', name)).uid).toBe(0);
});

it.each(['adapter', 'selector', 'revision'])('creates no access log when it lists: %s', async (command) => {
  logTo('data/log/access.log');
  expect(await platform(command, 'list')).toMatchObject({ code: 0, err: '' });
  expect(existsSync(path.join(root, 'data/log'))).toBe(false);
});

describe('apidesc-platform adapter', () => {
  it('adds an adapter, lists it, and removes it', async () => {
    const added = await addPeople();
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(added.out).toContain('Added the adapter "people". (revision 1)');
    expect(added.out).toContain('kill -HUP PID');
    expect((await platform('adapter', 'list')).out).toContain(
      'people: Basic; realm "People"; config/people.htpasswd; default adapter: guards every API that has no adapter\n',
    );
    expect((await platform('adapter', 'remove', 'people')).code).toBe(0);
    expect((await platform('adapter', 'list')).out).not.toContain('people:');
  });

  it('adds a Digest adapter with the specified defaults', async () => {
    writeFileSync(path.join(root, 'config/a.htdigest'), `ada:Atlas:${'a'.repeat(32)}\n`);
    const words = ['--digest', 'config/a.htdigest', '--realm', 'Atlas', '--nonce-timeout', '1800'];
    expect(await platform('adapter', 'add', 'digest', ...words)).toMatchObject({ code: 0 });
    expect(local()).toMatchObject({
      'platform-mvc-auth': {
        authentication: {
          adapters: {
            digest: {
              adapter: 'HttpAdapter',
              options: {
                accept_schemes: ['digest'],
                realm: 'Atlas',
                htdigest: 'config/a.htdigest',
                digest_domains: '',
                nonce_timeout: '1800',
              },
            },
          },
        },
      },
    });
  });

  it.each([
    [['--basic', 'config/none.htpasswd', '--realm', 'People'], /\/options\/htpasswd: .*none\.htpasswd/],
    [['--basic', 'config/people.htpasswd'], /^Add --realm <realm>\.$/m],
    [['--options', '[1]'], /--options must be a JSON object/],
    [['--kind', 'Nothing'], /Adapter kind "Nothing" does not exist/],
  ])('reports the option and the error of %j, and writes nothing', async (words, message) => {
    const before = readFileSync(file(), 'utf8');
    const { code, err } = await platform('adapter', 'add', 'x', ...words);
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  it.each([
    [[], 'Add --basic <file> or --digest <file>, and --realm <realm>.\n'],
    [['--realm', 'Shop'], 'Add --basic <file> or --digest <file>.\n'],
    [['--basic', 'config/people.htpasswd'], 'Add --realm <realm>.\n'],
  ])('names the missing options after %j', async (words, err) => {
    expect(await platform('adapter', 'add', 'foo', ...words)).toMatchObject({ code: 1, err });
  });

  it('rejects an existing name', async () => {
    await addPeople();
    expect(await addPeople()).toMatchObject({ code: 1 });
  });
});

it.each([
  ['adapter', 'list'],
  ['adapter', 'remove', 'people'],
  ['selector', 'list'],
  ['revision', 'list'],
])('names the missing module of `%s %s`, in a project without the admin module', async (...words) => {
  writeFileSync(path.join(root, 'config/application.json'), '{"modules": ["documentation"]}');
  expect(await platform(...words)).toEqual({
    code: 1,
    out: '',
    err: `The command "${words[0]}" needs the module "admin"; add it to "modules" in config/application.json.\n`,
  });
});

describe('apidesc-platform selector', () => {
  it('creates a selector with a view model, lists it, and removes it piece by piece', async () => {
    expect(
      await platform('selector', 'add', 'Own', 'JsonModel', 'application/json', 'application/vnd.own+json'),
    ).toMatchObject({ code: 0, err: '' });
    expect((await platform('selector', 'list')).out).toContain(
      'Own\n  JsonModel: application/json, application/vnd.own+json\n',
    );
    expect((await platform('revision', 'list')).out).toMatch(
      /^1\* .*Created the selector "Own" with JsonModel/,
    );
    expect((await platform('selector', 'remove', 'Own', 'JsonModel')).code).toBe(0);
    expect((await platform('selector', 'remove', 'Own')).code).toBe(0);
    expect((await platform('selector', 'list')).out).not.toContain('Own');
  });

  it('lists the users of a selector within the sentence', async () => {
    const { out } = await platform('selector', 'list');
    expect(out).toMatch(/\(used by the /);
    expect(out).not.toMatch(/used by The /);
  });

  it('reports an invalid media type', async () => {
    const { code, err } = await platform('selector', 'add', 'Documentation', 'YamlModel', 'nonsense');
    expect(code).toBe(1);
    expect(err).toContain('/');
  });

  it.each([
    [['Own', 'OwnModel', 'application/json'], /View model "OwnModel" does not exist/],
    [['Own', 'JsonModel', 'nonsense'], /nonsense/],
    [['Own', 'JsonModel'], /Enter at least one media type/],
  ])('creates no selector for an invalid view model: %j', async (words, message) => {
    const before = readFileSync(file(), 'utf8');
    const { code, out, err } = await platform('selector', 'add', ...words);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(message);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });
});

describe('apidesc-platform revision', () => {
  it('lists revisions with their authors, shows one, restores and undoes', async () => {
    expect((await platform('revision', 'list')).out).toBe('No changes yet.\n');
    const before = readFileSync(file(), 'utf8');
    await addPeople();
    expect((await platform('revision', 'list')).out).toMatch(
      /^1\*\s+\S+Z\s+grace \(command\)\s+Added the adapter/,
    );
    expect((await platform('revision', 'diff', '1')).out).toContain(
      '+ platform-mvc-auth.authentication.adapters.people.adapter = "HttpAdapter"\n',
    );
    expect((await platform('revision', 'undo', '1')).code).toBe(0);
    expect(readFileSync(file(), 'utf8')).toBe(before);
    expect((await platform('revision', 'restore', '1')).code).toBe(0);
    expect((await platform('adapter', 'list')).out).toContain('people:');
  });

  it('repairs a configuration that was broken by hand', async () => {
    await addPeople();
    writeFileSync(file(), '{ "platform-mvc-auth": ');
    const { code, err } = await platform('revision', 'restore', '1');
    expect(err).toContain('local.json');
    expect(code).toBe(0);
    expect((await platform('adapter', 'list')).out).toContain('people:');
  });

  it('reports once that there is no project', async () => {
    rmSync(path.join(root, 'config'), { recursive: true });
    for (const words of [['list'], ['diff', '1'], ['undo', '1'], ['restore', '1']]) {
      const { code, err } = await platform('revision', ...words);
      expect([code, err.match(/application\.json/g)]).toEqual([1, ['application.json']]);
    }
  });

  it('rejects an unknown revision', async () => {
    const { code, err } = await platform('revision', 'diff', '7');
    expect(code).toBe(1);
    expect(err).toContain('The revision "7" does not exist');
  });
});

it('reports why a project cannot be opened', async () => {
  mkdirSync(path.join(root, 'config/autoload'), { recursive: true });
  writeFileSync(file(), '{ "sever": {} }');
  const { code, err } = await platform('adapter', 'list');
  expect(code).toBe(1);
  expect(err).toContain('Did you mean "server"?');
});
