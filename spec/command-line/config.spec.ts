import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { registerConfig } from '../../src/command-line/config/command';
import {
  ALL_MODULES,
  makeProject,
  ROOT,
  sampleAuthentication,
  type TestProject,
} from '../factories/platform';
import { runWords } from '../factories/processes/command';
import { CLI, run } from '../factories/processes/processes';

let root: string;
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface Ran {
  readonly code: number | undefined;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command in a project created for it. */
async function config(
  project: TestProject,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  root = makeProject(project);
  const line = ['config', ...words, '--root', root];
  const { code, out: output, err: errors } = await runWords([registerConfig], line, environment);
  return { code, output, errors };
}

describe('apidesc-platform config check', () => {
  it('confirms a valid configuration, with its warnings', async () => {
    const { code, output, errors } = await config({ local: sampleAuthentication }, ['check']);
    expect(output).toBe('OK: 1 file checked, the application builds.\n');
    expect(errors).toBe('');
    expect(code).toBe(0);
    rmSync(root, { recursive: true });
    expect((await config({}, ['check'])).errors).toMatch(/^Warning: Visit of Atlas-v1 requires a user/);
  });

  it.each([
    ['that are invalid', 1, 'is 1; it must be of type string.'],
    ['that refer to missing environment variables', '${MISSING_PAGE}', 'refers to the environment variable'],
  ])('reports more values than a call has arguments %s', async (_, value, reason) => {
    const names = Array.from({ length: 130_000 }, (_, at) => [`page/${at}`, value] as const);
    const local = { view_manager: { template_map: Object.fromEntries(names) } };
    const { code, errors } = await config({ local }, ['check']);
    expect(code).toBe(1);
    expect(errors.split(reason)).toHaveLength(130_001);
  });

  it.each([
    ['which it does not create', 'log/today/access.log', 0, ''],
    ['below a file', 'notes.txt/log/access.log', 1, 'ENOTDIR'],
    ['below a link to nothing', 'link/access.log', 1, 'ENOENT'],
    ['that is a folder', 'empty', 1, 'EISDIR'],
    ['through a link, which it does not create', 'new.log', 0, ''],
    ['through a link into a missing folder', 'lost.log', 1, 'ENOENT'],
    ['through a link to such a link', 'chain.log', 1, 'ENOENT'],
  ])('checks that an access log can be written %s', async (_, file, expected, reason) => {
    const local = { 'platform-operations': { access_log: { enabled: true, file } } };
    // Without a database, which may have files of its own while it is open.
    root = makeProject({ modules: ['operations'], local, files: { 'notes.txt': '' } });
    mkdirSync(path.join(root, 'empty'));
    symlinkSync('nothing', path.join(root, 'link'));
    symlinkSync('empty/access.log', path.join(root, 'new.log'));
    symlinkSync('nothing/access.log', path.join(root, 'lost.log'));
    symlinkSync('lost.log', path.join(root, 'chain.log'));
    const before = readdirSync(root, { recursive: true });
    const { code, err } = await runWords([registerConfig], ['config', 'check', '--root', root]);
    expect(code).toBe(expected);
    expect(err).toMatch(
      reason === '' ? /^$/ : new RegExp(`^The access log cannot be written: (?:Error: )?${reason}: `),
    );
    expect(readdirSync(root, { recursive: true })).toEqual(before);
  });

  it('warns of a file that is ignored because of its name', async () => {
    const files = { 'config/autoload/shop.json': '{"servre": 1}', 'config/autoload/local.json.dist': '{}' };
    const { code, output, errors } = await config({ local: sampleAuthentication, files }, ['check']);
    expect(errors).toBe(
      'Warning: config/autoload/shop.json is not read: only global.json, local.json, *.global.json, *.global.js, *.local.json and *.local.js are. Rename it to shop.global.json, or shop.local.json for this machine only.\n',
    );
    expect(output).toMatch(/^OK: 1 file checked, /);
    expect(code).toBe(0);
  });

  it('warns of files that are next to the folder from which they would be read', async () => {
    const files = {
      'config/local.json': '{"servre": 1}',
      'config/global.json': '{}',
      'config/shop.json': '{}',
    };
    const { code, output, errors } = await config({ local: sampleAuthentication, files }, ['check']);
    expect(errors).toBe(
      [
        'Warning: config/global.json is not read: configuration is read from config/autoload. Move it there.\n',
        'Warning: config/local.json is not read: configuration is read from config/autoload. Move it there.\n',
      ].join(''),
    );
    expect(output).toMatch(/^OK: 1 file checked, /);
    expect(code).toBe(0);
  });

  it('creates lazily created services, to check that they can be created', async () => {
    const local = { view_manager: { render_strategies: ['YamlStrategy', 'HttpAdapter'] } };
    const { code, errors } = await config({ local }, ['check']);
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(
        /view_manager\.render_strategies\[1\]: the service "HttpAdapter" is not a view strategy \(.+\): it is an instance of HttpAdapterFactory\.\n$/,
      ) as string,
    ]);
  });

  it('reports all errors at once, with file and key path', async () => {
    const { code, output, errors } = await config(
      {
        files: {
          'config/autoload/global.json': '{\n  "server": { "port": "8080" },\n  "servre": {}\n}',
          'config/autoload/z.local.json': '{ "server": { "base_url": "/${STAGE}" ',
        },
        local: { view_manager: { display_exceptions: '${SHOW}', strategies: [1] } },
      },
      ['check'],
      { PORT: '9000' },
    );
    expect(errors.trimEnd().split('\n')).toEqual([
      'config/autoload/local.json:3:5: view_manager.display_exceptions refers to the environment variable SHOW, which is not set. Set it, or write the value in the file.',
      'config/autoload/z.local.json:1:39: not well-formed JSON: "}" expected, but the file ends.',
      expect.stringMatching(
        /^config\/autoload\/global\.json:3:3: servre: unknown key\. Did you mean "server"\?/,
      ),
      'config/autoload/global.json:2:15: server.port: is "8080"; it must be of type integer.',
      'config/autoload/local.json:5:7: view_manager.strategies[0]: is 1; it must be of type string.',
    ]);
    expect(output).toBe('');
    expect(code).toBe(1);
  });

  it('reports the URL of a database that nothing uses yet, and does not repeat it', async () => {
    const url = 'mysql://ann:hush@localhost/shop';
    const local = {
      'platform-db': { adapters: { shop: { adapter: 'PostgresAdapter', options: { url } } } },
    };
    const { code, errors } = await config({ local }, ['check']);
    expect(code).toBe(1);
    expect(errors).toContain(
      'platform-db.adapters.shop.options.url is not valid. Expected: postgres://user:password@host:5432/database',
    );
    expect(errors).not.toContain('hush');
  });

  it('reports errors that only building the application finds', async () => {
    const options = { accept_schemes: ['basic'], realm: 'Shop', htpasswd: 'data/none' };
    const adapters = { shop: { adapter: 'HttpAdapter', options } };
    const local = { 'platform-mvc-auth': { authentication: { adapters } } };
    const { code, errors } = await config({ local }, ['check']);
    expect(errors).toContain('data/none');
    expect(errors).toContain('apidesc-platform htpasswd');
    expect(code).toBe(1);
  });

  it('fails if a module awaits a promise that is never settled', async () => {
    const files = {
      'config/application.json': '{"modules": ["./shop.mjs"]}',
      'shop.mjs': "await new Promise(() => {});\nexport default { name: 'shop' };\n",
    };
    root = makeProject({ files });
    expect(await run(process.execPath, [CLI, 'config', 'check', '--root', root])).toEqual({
      code: 1,
      output:
        'Startup did not complete: a module or a service factory awaits a promise that is never settled.\n',
    });
  });

  it('reports a missing project', async () => {
    const { code, errors } = await config({ files: { 'config/application.json': '{}' } }, ['check']);
    expect(errors).toBe(
      'config/application.json:1:1: modules: is missing. Write a list of module names, packages or files, such as {"modules": ["documentation", "./shop.mjs"]}.\n',
    );
    expect(code).toBe(1);
  });
});

describe('apidesc-platform config show', () => {
  it('prints a line for each value, with its source', async () => {
    const { output, code } = await config({ local: { server: { base_url: '/x' } } }, ['show', 'server'], {
      PORT: '1',
    });
    expect(output).toBe(
      'server.host = "127.0.0.1"               # the defaults of the framework\n' +
        'server.port = 1                         # the environment\n' +
        'server.base_url = "/x"                  # config/autoload/local.json:3:5\n' +
        'server.drain_delay = 0                  # the defaults of the framework\n' +
        'server.shutdown_timeout = 10            # the defaults of the framework\n' +
        'server.max_request_line = 8192          # the defaults of the framework\n' +
        'server.max_header_size = 16384          # the defaults of the framework\n' +
        'server.max_header_fields = 100          # the defaults of the framework\n' +
        'server.header_timeout = 30              # the defaults of the framework\n' +
        'server.request_timeout = 60             # the defaults of the framework\n' +
        'server.inactivity_timeout = 30          # the defaults of the framework\n' +
        'server.min_data_rate = 240              # the defaults of the framework\n' +
        'server.max_requests_per_connection = 0  # the defaults of the framework\n' +
        'server.max_requests_in_flight = 0       # the defaults of the framework\n' +
        'server.max_queued_requests = 100        # the defaults of the framework\n' +
        'server.queue_timeout = 5                # the defaults of the framework\n' +
        'server.max_event_loop_lag = 0           # the defaults of the framework\n' +
        'server.keep_alive_timeout = 75          # the defaults of the framework\n' +
        'server.max_connections_per_address = 0  # the defaults of the framework\n' +
        'server.max_body_memory = 67108864       # the defaults of the framework\n' +
        'server.trust_proxy = []                 # the defaults of the framework\n',
    );
    expect(code).toBe(0);
  });

  it('prints one value, or everything without a key', async () => {
    expect((await config({}, ['show', 'server.port'])).output).toBe(
      'server.port = 8080  # the defaults of the framework\n',
    );
    rmSync(root, { recursive: true });
    const { output } = await config({}, ['show']);
    expect(output).toContain(
      'platform-content-negotiation.selectors.Documentation.ViewModel[0] = "text/html"',
    );
    expect(output.split('\n').length).toBeGreaterThan(20);
  });

  it('prints more values than a call has arguments', async () => {
    const names = Array.from({ length: 130_000 }, (_, at) => [`page/${at}`, 'a.html'] as const);
    const local = { view_manager: { template_map: Object.fromEntries(names) } };
    const { output, errors } = await config({ local }, ['show', 'view_manager.template_map']);
    expect(errors).toBe('');
    expect(output.match(/^view_manager\.template_map\.page/gm)).toHaveLength(130_000);
  });

  it('lists the loaded modules in order, and which module requires the unlisted ones', async () => {
    const { output } = await config({ modules: ['hal', 'documentation'] }, ['show', 'modules']);
    expect(output).toBe(
      'modules[0] = "content-negotiation"  # required by the module "hal"\n' +
        'modules[1] = "hal"                  # config/application.json:1:13\n' +
        'modules[2] = "mvc-auth"             # required by the module "documentation"\n' +
        'modules[3] = "content-validation"   # required by the module "hosting"\n' +
        'modules[4] = "hosting"              # required by the module "documentation"\n' +
        'modules[5] = "documentation"        # config/application.json:1:19\n',
    );
  });

  it('masks secrets, and shows the names of their variables', async () => {
    const options = { client_secret: 'hush', url: 'ldap://${LDAP}', token: '${TOKEN}' };
    const project = {
      local: { 'platform-mvc-auth': { authentication: { adapters: { a: { adapter: 'Any', options } } } } },
    };
    const environment = { LDAP: 'hidden-host', TOKEN: 'hidden-token' };
    const { output } = await config(project, ['show', '--json'], environment);
    expect(output).not.toMatch(/hush|hidden/);
    const below = 'platform-mvc-auth.authentication.adapters.a.options.';
    const shown = JSON.parse(output) as readonly { readonly key: string; readonly value: unknown }[];
    const values = Object.fromEntries(shown.map(({ key, value }) => [key.replace(below, ''), value]));
    expect(values).toMatchObject({ client_secret: '••••••', url: 'ldap://${LDAP}', token: '${TOKEN}' });
    rmSync(root, { recursive: true });
    const lines = await config(project, ['show'], environment);
    expect(lines.output).not.toMatch(/hush|hidden/);
    expect(lines.output).toContain('options.client_secret = ••••••  ');
  });

  it('masks the options that the kind of an adapter marks as secret, and all options if it needs an application', async () => {
    const kinds = `
      bind('ApplicationAdapter').toResolvedValue(() => undefined, ['Application']);
      bind('TokenAdapter').toConstantValue({
        settings: { type: 'object', properties: {
          realm: { type: 'string' }, pin: { type: 'string', secret: true }, code: { type: 'string', format: 'password' },
        } },
        open() { throw new Error('not opened'); },
      });`;
    const options = { realm: 'Shop', pin: 'hush', code: 'hush' };
    const adapters = {
      a: { adapter: 'TokenAdapter', options },
      b: { adapter: 'ApplicationAdapter', options: { nested: { pin: 'hush' } } },
      c: { adapter: 'HttpAdapter', options: { realm: 'Web', accept_schemes: ['basic'], htpasswd: 'x' } },
    };
    root = makeProject({
      modules: ['mvc-auth', './tokens.mjs'],
      local: { 'platform-mvc-auth': { authentication: { adapters } } },
      files: {
        'tokens.mjs': `import platform from ${JSON.stringify(path.join(ROOT, 'dist/platform.js'))};
          export default { name: 'tokens', services: new platform.ContainerModule(({ bind }) => {${kinds}}) };`,
      },
    });
    // A process: the test runner replaces the loader of modules.
    const { output } = await run(process.execPath, [CLI, 'config', 'show', '--root', root]);
    expect(output).not.toContain('hush');
    const below = 'platform-mvc-auth.authentication.adapters.';
    const lines = output.split('\n').filter((line) => line.startsWith(below) && line.includes('options'));
    expect(lines.map((line) => line.slice(below.length).replace(/ +#.*/, ''))).toEqual([
      'a.options.realm = "Shop"',
      'a.options.pin = ••••••',
      'a.options.code = ••••••',
      'b.options.nested.pin = ••••••',
      'c.options.realm = "Web"',
      'c.options.accept_schemes = ["basic"]',
      'c.options.htpasswd = "x"',
    ]);
  });

  it('creates no service of a module for it, and runs no module for a key elsewhere', async () => {
    const kinds = `
      bind('Client').toDynamicValue(() => { setInterval(() => {}, 1000); throw new Error('created'); });
      bind('ClientAdapter').toDynamicValue((context) => context.get('Client'));`;
    const adapters = { a: { adapter: 'ClientAdapter', options: { pin: 'hush' } } };
    const project = (services: string): TestProject => ({
      modules: ['mvc-auth', './client.mjs'],
      local: { 'platform-mvc-auth': { authentication: { adapters } } },
      files: {
        'client.mjs': `import platform from ${JSON.stringify(path.join(ROOT, 'dist/platform.js'))};
          export default { name: 'client', services: ${services} };`,
      },
    });
    const show = async (...words: string[]): Promise<string> => {
      const { output } = await run(process.execPath, [CLI, 'config', 'show', ...words, '--root', root]);
      rmSync(root, { recursive: true });
      return output.replace(/ +#.*/, '');
    };
    const pin = 'platform-mvc-auth.authentication.adapters.a.options.pin';

    root = makeProject(project(`new platform.ContainerModule(({ bind }) => {${kinds}})`));
    expect(await show(pin)).toBe(`${pin} = ••••••\n`);
    root = makeProject(project(`() => { throw new Error('bound'); }`));
    expect(await show(pin)).toBe(`${pin} = ••••••\n`);
    root = makeProject(project(`() => { setInterval(() => {}, 1000); return undefined; }`));
    expect(await show('server.port')).toBe('server.port = 8080\n');
  });

  it('reports that nothing is set at a key, and suggests the closest one', async () => {
    const { code, errors } = await config({}, ['show', 'server.prot']);
    expect(errors).toBe('Nothing is set at server.prot. Did you mean server.port?\n');
    expect(code).toBe(1);
  });

  it.each([
    ['servr', 'server'],
    ['modles', 'modules'],
    ['platform-mvc-auth.authentification', 'platform-mvc-auth.authentication'],
  ])('suggests the section that %s is meant to be', async (key, section) => {
    const { errors } = await config({ local: sampleAuthentication }, ['show', key]);
    expect(errors).toBe(`Nothing is set at ${key}. Did you mean ${section}?\n`);
  });

  it('reports the errors of a configuration that cannot be loaded', async () => {
    const { code, errors } = await config({ local: { server: { port: 'x' } } }, ['show']);
    expect(errors).toBe('config/autoload/local.json:3:5: server.port: is "x"; it must be of type integer.\n');
    expect(code).toBe(1);
  });
});

describe('apidesc-platform config schema', () => {
  it('writes config/schema.json for the modules of the project', async () => {
    const { output, code } = await config({ modules: ['operations'] }, ['schema']);
    expect(output).toBe(
      'Wrote config/schema.json. Refer to it in the files of config/autoload: "$schema": "../schema.json".\n',
    );
    const schema = JSON.parse(readFileSync(path.join(root, 'config/schema.json'), 'utf8')) as {
      readonly properties: object;
    };
    expect(Object.keys(schema.properties)).toEqual([
      '$schema',
      'log',
      'server',
      'view_manager',
      'platform-operations',
    ]);
    expect(code).toBe(0);
  });

  it('keeps a symbolic link in its place', async () => {
    await config({ modules: ['operations'] }, ['schema']);
    const file = path.join(root, 'config/schema.json');
    renameSync(file, path.join(root, 'real.json'));
    symlinkSync('../real.json', file);
    writeFileSync(path.join(root, 'real.json'), 'old');
    await run(process.execPath, [CLI, 'config', 'schema', '--root', root]);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(path.join(root, 'real.json'), 'utf8')).toContain('$schema');
  });

  it('writes the missing target of a symbolic link', async () => {
    root = makeProject({ modules: ['operations'] });
    const file = path.join(root, 'config/schema.json');
    symlinkSync('../linked.json', file);
    symlinkSync('real.json', path.join(root, 'linked.json'));
    await run(process.execPath, [CLI, 'config', 'schema', '--root', root]);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(lstatSync(path.join(root, 'linked.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(path.join(root, 'real.json'), 'utf8')).toContain('$schema');
  });

  it('prints it when asked to', async () => {
    const { output } = await config({ modules: ALL_MODULES }, ['schema', '--print']);
    expect(JSON.parse(output)).toHaveProperty('properties.platform-hosting');
    expect(existsSync(path.join(root, 'config/schema.json'))).toBe(false);
  });
});

describe('the installed command', () => {
  it('exits with 0 or 1, and writes errors to standard error', async () => {
    root = makeProject({ local: { server: { port: 'x' } } });
    expect(await run(process.execPath, [CLI, 'config', 'check', '--root', root])).toEqual({
      code: 1,
      output: 'config/autoload/local.json:3:5: server.port: is "x"; it must be of type integer.\n',
    });
    const shown = await run(process.execPath, [CLI, 'config', 'show', 'server.base_url', '--root', ROOT]);
    expect(shown).toEqual({ code: 0, output: 'server.base_url = ""  # the defaults of the framework\n' });
  });
});
