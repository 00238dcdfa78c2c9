import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConfigObject } from '../src/framework';
import { openIdleConnection } from './factories/http/idle-connection';
import { ROOT, sampleAuthentication, type TestProject } from './factories/platform';
import { run } from './factories/processes/processes';
import { SERVER } from './factories/processes/platform-process';
import { ServerProcesses } from './factories/processes/server-process';

/** A module as an operator might write it: a slow procedure. */
const SLOW = `export default {
  name: 'slow',
  requires: ['hosting'],
  apis: [{ name: 'Slow', versions: { 1: { services: { Wait: { kind: 'rpc', route: '/wait', methods: { GET: {
    handler: () => new Promise((resolve) => setTimeout(resolve, 1_000, { waited: true })),
  } } } } } } }],
};`;

const modules = [
  'content-negotiation',
  'content-validation',
  'mvc-auth',
  'hosting',
  'documentation',
  'atlas',
];
const slowProject: TestProject = { modules: [...modules, './slow.mjs'], files: { 'slow.mjs': SLOW } };

const servers = new ServerProcesses();
afterEach(() => servers.clear());

describe('node dist/index.js', () => {
  it('prints working URLs, and how to stop it', async () => {
    const server = servers.start(['--root', servers.project({ local: sampleAuthentication })]);
    const origin = await server.origin();
    const api = await server.printed(/^API +(\S+)$/m);
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(api).toBe(`${origin}/v2/atlas/countries`);
    expect((await fetch(api)).status).toBe(200);
    expect((await fetch(`${origin}/platform/documentation`)).status).toBe(200);
    expect(await server.printed(/^Reload +(.*)$/m)).toBe(`kill -HUP ${server.child.pid}`);
    expect(await server.printed(/^Stop.*$/m)).toContain('Ctrl+C');
  });

  it('prints the URL of the service if it has no documentation', async () => {
    const root = servers.project({
      modules: ['content-negotiation', 'mvc-auth', 'content-validation', 'hosting'],
    });
    const server = servers.start(['--root', root]);
    const origin = await server.printed(/^Service +(\S+)$/m);
    expect(await server.origin()).toBe(origin);
    expect((await fetch(`${origin}/nowhere`)).status).toBe(404);
    server.child.kill('SIGTERM');
    expect((await server.ended).output).not.toContain('Documentation');
  });

  it('prints the URL of a service without parameters, if an API has one', async () => {
    const service = (route: string): string =>
      `{ kind: 'rpc', route: '${route}', methods: { GET: { handler: () => 1 } } }`;
    const text = `export default { name: 'pets', requires: ['hosting'], apis: [{ name: 'Pets', versions: { 1: { services: {
      Pet: ${service('/owners/:owner/pets')}, Count: ${service('/counts')} } } } }] };`;
    const root = servers.project({ modules: ['documentation', './pets.mjs'], files: { 'pets.mjs': text } });
    const server = servers.start(['--root', root]);
    expect(await server.printed(/^API +(\S+)$/m)).toBe(`${await server.origin()}/v1/counts`);
  });

  it('prints the redirect URI that browsers return to, also behind a proxy', async () => {
    const openid = { issuer: 'https://login.example.com', client_id: 'platform', documentation: true };
    const printed = async (server: ConfigObject): Promise<readonly string[]> => {
      const local = { server, 'platform-openid': openid };
      const started = servers.start([
        '--root',
        servers.project({ modules: ['documentation', 'openid'], local }),
      ]);
      return [await started.origin(), await started.printed(/^Redirect URI .* (\S+)$/m)];
    };
    const [origin = '', uri] = await printed({});
    expect(uri).toBe(`${origin}/platform/sign-in/callback`);
    const [, behind] = await printed({ public_url: 'https://api.example.com/gateway' });
    expect(behind).toBe('https://api.example.com/gateway/platform/sign-in/callback');
    const [zone] =
      Object.entries(networkInterfaces()).find(([, all]) => all?.some(({ address }) => address === '::1')) ??
      [];
    // A zone has no place in a valid URL.
    if (zone !== undefined) expect((await printed({ host: `::1%${zone}` }))[1]).toContain(`[::1%${zone}]:`);
  });

  it.each([['--root', 'FOLDER'], ['--root=FOLDER']])('reads the project from %s %s', async (...words) => {
    const root = servers.project({ modules });
    const server = servers.start(
      words.filter((word) => typeof word === 'string').map((word) => word.replace('FOLDER', root)),
    );
    expect((await fetch(`${await server.origin()}/atlas/countries/DE`)).status).toBe(200);
  });

  it('reads the project from the working directory by default', async () => {
    const server = servers.start([], {}, servers.project({ modules }));
    expect((await fetch(`${await server.origin()}/atlas/countries/DE`)).status).toBe(200);
  });

  it('stops with the shell of npm start, which passes no signal on', async () => {
    const root = servers.project({ modules });
    // With a command after it, a shell does not replace itself with the server.
    const shell = servers.startCommand(
      'sh',
      (node, server) => ['-c', `"${node}" "${server}" --root "${root}"; true`],
      { npm_lifecycle_event: 'start' },
    );
    await shell.origin();
    shell.child.kill('SIGTERM');
    // The streams end with the server, not with the shell.
    expect((await shell.ended).output).toContain('Shutting down gracefully.');
  });

  it('listens on HOST and PORT', async () => {
    const server = servers.start(['--root', servers.project({ modules })], { HOST: 'localhost' });
    expect(await server.origin()).toMatch(/^http:\/\/localhost:\d+$/);
  });

  it('warns of operations that are closed to everyone', async () => {
    const server = servers.start(['--root', servers.project({ modules })]);
    await server.origin();
    server.child.kill('SIGTERM');
    expect((await server.ended).errors).toContain(
      'Warning: Visit of Atlas-v1 requires a user, but no adapter is mapped to it: map one in platform-mvc-auth.authentication.map, or it responds 403 to everyone.\n',
    );
  });

  it('warns of a configuration file that is ignored because of its name', async () => {
    const root = servers.project({ modules, files: { 'config/autoload/shop.json': '{}' } });
    const server = servers.start(['--root', root]);
    await server.origin();
    server.child.kill('SIGTERM');
    expect((await server.ended).errors).toMatch(
      /^Warning: config\/autoload\/shop\.json is not read: .+ Rename it to shop\.global\.json, or shop\.local\.json/m,
    );
  });

  it.each(['--help', '-h'])('prints its options on %s', async (word) => {
    const { code, output } = await run(process.execPath, [SERVER, word]);
    expect(code).toBe(0);
    for (const text of [
      'Usage:',
      '--root FOLDER',
      '--help',
      '--version',
      'HOST',
      'PORT',
      'LOG_LEVEL',
      'OPERATIONS_LISTEN',
      'NO_COLOR',
      'SIGINT',
      'SIGTERM',
      'SIGHUP',
      'SIGUSR2',
    ]) {
      expect(output).toContain(text);
    }
  });

  it.each(['--help', '--version'])('fails if its output cannot be written (%s)', async (word) => {
    expect(
      await run('bash', ['-c', '"$0" "$1" "$2" 2>&1 >/dev/full', process.execPath, SERVER, word]),
    ).toEqual({
      code: 1,
      output: 'Standard output cannot be written: the disk is full. Free some space and retry.\n',
    });
  });

  it('fails if only the beginning of its help can be written', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'output-')), 'help.txt');
    expect(
      await run('bash', ['-c', 'ulimit -f 1; "$0" "$1" --help 2>&1 >"$2"', process.execPath, SERVER, file]),
    ).toEqual({
      code: 1,
      output:
        'Standard output cannot be written: it exceeds the file size limit. Reduce it or raise the limit.\n',
    });
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  it('prints the command that starts it from the working directory on --help', async () => {
    expect((await run('bash', ['-c', 'cd spec; node ../dist/index.js -h'])).output).toMatch(/ \.\.\/dist/);
  });

  it('prints its version on --version', async () => {
    const manifest = readFileSync(path.join(ROOT, 'package.json'), 'utf8');
    const [, version = ''] = /"version": "([^"]+)"/.exec(manifest) ?? [];
    expect(await run(process.execPath, [SERVER, '--version'])).toEqual({
      code: 0,
      output: `${version}\n`,
    });
  });
});

describe('node dist/index.js exits with code 1 and a message without its own stack', () => {
  const refusal = async (words: readonly string[], environment: Record<string, string> = {}) => {
    const { code, output, errors } = await servers.start(words, environment).ended;
    expect(code).toBe(1);
    expect(output).toBe('');
    // The stack of the project's own code may be shown.
    expect(errors).not.toMatch(/^\s+at .*(?:dist\/|node:)/m);
    return errors;
  };

  it.each([
    [['--prot', '9000'], '"--prot"'],
    [['start'], '"start"'],
    [['--root'], '"--root"'],
    [['--root='], '"--root="'],
  ])('for the arguments %j', async (words, named) => {
    expect(await refusal(words)).toBe(`Unknown option, or missing value: ${named}. See --help.\n`);
  });

  it('for a port in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      expect(await refusal(['--root', servers.project({ modules })], { PORT: String(port) })).toBe(
        `Port ${port} on 127.0.0.1 is already in use. Set another port with PORT=<number> or server.port.\n`,
      );
    } finally {
      other.close();
    }
  });

  it('for an invalid port', async () => {
    const root = servers.project({ modules });
    expect(await refusal(['--root', root], { PORT: 'http' })).toBe(
      'The environment variable PORT is "http"; it must be a whole number.\n',
    );
    expect(await refusal(['--root', root], { PORT: '70000' })).toContain('server.port: is 70000');
  });

  it('for a misspelt key, with its location and the closest name', async () => {
    const root = servers.project({ modules, local: { server: { prot: 9000 } } });
    expect(await refusal(['--root', root])).toMatch(
      /^config\/autoload\/local\.json:\d+:\d+: server\.prot: unknown key\. Did you mean "port"\? Allowed: .*port/,
    );
  });

  it('for a folder without a project', async () => {
    const root = servers.project({ modules });
    expect(await refusal(['--root', path.join(root, 'config')])).toMatch(
      /^config\/application\.json does not exist in .*config: create it with the modules to load, [^\n]*\n$/,
    );
  });

  it('for a module that cannot be loaded', async () => {
    const broken = servers.project({
      modules: ['./broken.mjs'],
      files: { 'broken.mjs': "throw new Error('out of order');" },
    });
    expect(await refusal(['--root', broken])).toBe(
      'config/application.json:1:13: the module "./broken.mjs" cannot be loaded: broken.mjs:1:7: Error: out of order\n' +
        '    at broken.mjs:1:7\n',
    );
  });
});

describe('stopping node dist/index.js', () => {
  const slow = async () => {
    const server = servers.start(['--root', servers.project(slowProject)]);
    const origin = await server.origin();
    return { ...server, origin };
  };

  it.each(['SIGTERM', 'SIGINT'] as const)('with %s exits with code 0', async (signal) => {
    const server = await slow();
    server.child.kill(signal);
    expect(await server.ended).toMatchObject({
      code: 0,
      output: expect.stringContaining('Shutting down gracefully') as unknown,
    });
  });

  it('finishes the request in flight, and accepts no other', async () => {
    const server = await slow();
    const inFlight = fetch(`${server.origin}/wait`);
    await pause(200);
    server.child.kill('SIGTERM');
    await server.printed(/^Shutting down gracefully\. .*$/m);
    await expect(fetch(`${server.origin}/atlas/countries`)).rejects.toThrow();
    const answer = await inFlight;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ waited: true });
    const idle = await openIdleConnection();
    expect((await server.ended).code).toBe(0);
    // It does not wait until the connection of the client times out.
    expect(idle.closed).toBe(false);
    await idle.stop();
  });

  it('twice stops immediately', async () => {
    const server = await slow();
    const inFlight = fetch(`${server.origin}/wait`).then(
      () => 'answered',
      () => 'cut off',
    );
    await pause(200);
    server.child.kill('SIGINT');
    await server.printed(/Press Ctrl\+C again to force\./);
    server.child.kill('SIGINT');
    expect((await server.ended).code).toBe(1);
    expect(await inFlight).toBe('cut off');
  });

  it('waits at most shutdown_timeout', async () => {
    const server = servers.start([
      '--root',
      servers.project({ ...slowProject, local: { server: { shutdown_timeout: 0 } } }),
    ]);
    const inFlight = fetch(`${await server.origin()}/wait`).then(
      () => 'answered',
      () => 'cut off',
    );
    await pause(200);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    expect(await inFlight).toBe('cut off');
  });

  it.each(['index.js', 'cli.js'])('prints one sentence when Node.js is too old (%s)', async (entry) => {
    const root = servers.project({
      files: { 'old.js': "Object.defineProperty(process.versions, 'node', { value: '18.20.0' });" },
    });
    const file = path.join(path.dirname(SERVER), entry);
    expect(await run(process.execPath, ['--require', path.join(root, 'old.js'), file])).toEqual({
      code: 1,
      output: 'This is Node 18.20.0; the platform needs Node 20.19 or later.\n',
    });
  });
});
