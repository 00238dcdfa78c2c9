import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { configure } from '../factories/configure';
import { SERVER } from '../factories/processes/platform-process';
import { ServerProcesses, type ServerProcess } from '../factories/processes/server-process';
import { withPrograms } from '../factories/processes/programs';

const modules = ['content-negotiation', 'content-validation', 'mvc-auth', 'hosting', 'documentation'];

/** Waits until a condition holds; a timeout fails at the next expectation. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1500 && !(await isSo()); tries++) await pause(10);
}

const servers = new ServerProcesses();
afterEach(() => servers.clear());

describe('SIGHUP', () => {
  let root: string;
  let server: ServerProcess;
  let origin: string;
  beforeEach(async () => {
    root = servers.project({ modules });
    server = servers.start(['--root', root]);
    origin = await server.origin();
  });

  const list = async (base: string): Promise<number> =>
    (await fetch(`${origin}${base}/platform/documentation`)).status;

  it('reloads the configuration', async () => {
    configure(root, { server: { base_url: '/gateway' } });
    server.child.kill('SIGHUP');
    await server.printed(/^Configuration reloaded\.$/m);
    expect([await list('/gateway'), await list('')]).toEqual([200, 404]);
  });

  it('names the keys that require a restart', async () => {
    configure(root, { server: { host: 'localhost' } });
    server.child.kill('SIGHUP');
    expect(await server.printedError(/^Requires .*$/m)).toBe('Requires a restart: server.host.');
    expect(await list('')).toBe(200);
  });

  it('changes nothing when the configuration is invalid, and reports the errors', async () => {
    configure(root, { server: { prot: 1 } });
    server.child.kill('SIGHUP');
    expect(await server.printedError(/^[\s\S]*The previous configuration stays active\.\n/)).toMatch(
      /^config\/autoload\/local\.json:3:5: server\.prot: unknown key\..*\nThe previous configuration stays active\.\n$/,
    );
    expect(await list('')).toBe(200);
  });

  it('changes nothing when a folder has the name of the file', async () => {
    rmSync(path.join(root, 'config/autoload/local.json'));
    mkdirSync(path.join(root, 'config/autoload/local.json'));
    server.child.kill('SIGHUP');
    await server.printedError(/config\/autoload\/local\.json.*\nThe previous configuration stays active\.\n/);
    expect(await list('')).toBe(200);
  });

  it('loads a newly listed module, and warns of what requires a restart', async () => {
    const more = JSON.stringify({ modules: [...modules, 'atlas'] });
    writeFileSync(path.join(root, 'config/application.json'), more);
    server.child.kill('SIGHUP');
    await server.printedError(/^Warning: Visit of Atlas-v1 requires a user, but no adapter is mapped to it/m);
    expect((await fetch(`${origin}/atlas/countries/DE`)).status).toBe(200);
  });

  it('many times in a row causes few builds, and the last one is effective', async () => {
    for (let turn = 0; turn < 20; turn++) {
      configure(root, { server: { base_url: `/${turn}` } });
      server.child.kill('SIGHUP');
      await pause(2);
    }
    await until(async () => (await list('/19')) === 200);
    expect(await list('/19')).toBe(200);
    expect(server.child.exitCode).toBeNull();
  });

  it('during shutdown has no effect', async () => {
    // An incomplete request keeps the service running to receive the signal.
    const client = connect(Number(new URL(origin).port), '127.0.0.1');
    client.write('GET /platform/documentation HTTP/1.1\r\nHost: a\r\n');
    await pause(100);
    server.child.kill('SIGTERM');
    await server.printed(/^Shutting down gracefully/m);
    server.child.kill('SIGHUP');
    await pause(100);
    client.end('\r\n');
    expect((await text(client)).slice(0, 12)).toBe('HTTP/1.1 200');
    expect((await server.ended).code).toBe(0);
  });
});

it('SIGHUP during startup is handled once the service has started', async () => {
  const slow = `export default { name: 'slow', async onBootstrap() {
    process.stdout.write('Bootstrapping.\\n');
    await new Promise((resolve) => setTimeout(resolve, 500));
  } };`;
  const root = servers.project({ modules: [...modules, './slow.mjs'], files: { 'slow.mjs': slow } });
  const server = servers.start(['--root', root]);
  await server.printed(/Bootstrapping/);
  configure(root, { server: { base_url: '/late' } });
  server.child.kill('SIGHUP');
  const origin = await server.origin();
  await server.printed(/Configuration reloaded\./);
  expect((await fetch(`${origin}/late/platform/documentation`)).status).toBe(200);
});

withPrograms('script').describe('A service in a terminal', () => {
  const runs = (id: number): boolean => {
    try {
      return process.kill(id, 0);
    } catch {
      return false;
    }
  };

  it('reloads on SIGHUP, and stops when the terminal is closed', async () => {
    const tell = `export default { name: 'tell', onBootstrap() { console.log('Process ' + process.pid + '.'); } };`;
    const root = servers.project({ modules: [...modules, './tell.mjs'], files: { 'tell.mjs': tell } });
    const service = `${process.execPath} ${SERVER} --root ${root}`;
    const terminal = spawn('script', ['-qec', service, '/dev/null'], {
      env: { PATH: process.env.PATH, PORT: '0', OPERATIONS_LISTEN: 'off' },
    });
    let output = '';
    terminal.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(() => output.includes('Ctrl+C'));
    const id = Number(/Process (\d+)\./.exec(output)?.[1]);
    expect(runs(id)).toBe(true);
    process.kill(id, 'SIGHUP');
    await until(() => output.includes('Configuration reloaded.'));
    expect(output).toContain('Configuration reloaded.');
    terminal.kill('SIGKILL');
    await until(() => !runs(id));
    expect(runs(id)).toBe(false);
  });
});
