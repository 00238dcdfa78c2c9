import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConfigObject } from '../src/framework';
import { until } from './factories/processes/deployment';
import { RawConnection } from './factories/http/raw-connection';
import { ServerProcesses, type ServerProcess } from './factories/processes/server-process';

/** Common mistakes of authors. */
const MODULE = `
import { existsSync } from 'node:fs'; import { setTimeout as pause } from 'node:timers/promises';

async function saveLater() { await pause(20); throw new Error('The disk is gone.'); }
async function saveNow() { throw new Error('The disk was never there.'); }
const get = (route, handler) => ({ kind: 'rpc', route, methods: { GET: { handler } } });
export default {
  name: 'careless',
  requires: ['hosting'],
  apis: [{ name: 'Careless', versions: { 1: { services: {
    Later: get('/later', () => { saveLater(); return { saved: true }; }),
    Now: get('/now', () => { saveNow(); return { saved: true }; }),
    Odd: get('/odd', () => { Promise.reject('no error'); return { saved: true }; }),
    Crash: get('/crash', () => { setTimeout(() => { throw new Error('Nobody catches this.'); }, 50); return {}; }),
    Slow: get('/slow', async () => {
      while (!existsSync(new URL('finish', import.meta.url))) await pause(20);
      return { done: true };
    }),
    Endless: get('/endless', () => new Promise(() => undefined)),
  } } } }],
};`;

const modules = [
  'content-negotiation',
  'content-validation',
  'mvc-auth',
  'hosting',
  'documentation',
  './careless.mjs',
];

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly operation?: string;
  readonly request_id?: string;
  readonly err: { readonly message: string; readonly stack: string };
}

const servers = new ServerProcesses();
afterEach(() => servers.clear());

const project = (local: ConfigObject = {}): string =>
  servers.project({ modules, local, files: { 'careless.mjs': MODULE } });

function start(local?: ConfigObject): ServerProcess {
  return servers.start(['--root', project(local)]);
}

const lineOf = async (server: ServerProcess, text: RegExp): Promise<LogLine> =>
  JSON.parse(await server.printedError(new RegExp(`^.*${text.source}.*$`, 'm'))) as LogLine;

describe('an unhandled rejection of a handler', () => {
  it('is logged with its stack, and the service continues', async () => {
    const server = start();
    const origin = await server.origin();
    expect((await fetch(`${origin}/later`)).status).toBe(200);
    const line = await lineOf(server, /The disk is gone/);
    expect(line).toMatchObject({
      level: 50,
      msg: 'Unhandled promise rejection. Await the promise, or catch its error.',
    });
    expect(line.err.stack).toMatch(/saveLater.*careless\.mjs:4/);
    expect((await fetch(`${origin}/later`)).status).toBe(200);
    expect(server.child.exitCode).toBeNull();
  });

  it('is logged with its operation in the synchronous part of a handler', async () => {
    const server = start();
    expect((await fetch(`${await server.origin()}/now`)).status).toBe(200);
    expect((await lineOf(server, /The disk was never there/)).operation).toBe('Careless-v1/Now GET');
  });

  it('is logged with operation and request when context_storage is on', async () => {
    const server = start({ 'platform-hosting': { context_storage: true } });
    await fetch(`${await server.origin()}/later`, { headers: { 'X-Request-Id': 'mine-1' } });
    expect(await lineOf(server, /The disk is gone/)).toMatchObject({
      operation: 'Careless-v1/Later GET',
      request_id: 'mine-1',
    });
  });

  it('is logged whatever the reason is', async () => {
    const server = start();
    const origin = await server.origin();
    await fetch(`${origin}/odd`);
    await server.printedError(/"err":"no error"/);
    expect((await fetch(`${origin}/now`)).status).toBe(200);
  });
});

describe('an uncaught error', () => {
  it('is logged; requests in flight finish, new connections are refused, and the process exits with 1', async () => {
    const root = project();
    const server = servers.start(['--root', root]);
    const origin = await server.origin();
    const slow = fetch(`${origin}/slow`);
    await pause(200);
    await fetch(`${origin}/crash`);
    expect(await lineOf(server, /Nobody catches this/)).toMatchObject({
      level: 50,
      msg: 'Uncaught exception. Shutting down gracefully; the process exits with code 1.',
    });
    // The line is logged before the listener is closed.
    await until('new connections are refused', async () => {
      const refusal = await RawConnection.open(origin).then(() => undefined, String);
      return refusal?.includes('ECONNREFUSED') === true;
    });
    expect(server.child.exitCode).toBeNull();
    writeFileSync(path.join(root, 'finish'), '');
    expect(await (await slow).json()).toEqual({ done: true });
    expect((await server.ended).code).toBe(1);
  });

  it('ends the process after the shutdown timeout when a request in flight does not finish', async () => {
    const server = start({ server: { shutdown_timeout: 1 } });
    const origin = await server.origin();
    const endless = expect(fetch(`${origin}/endless`)).rejects.toThrow();
    await pause(200);
    await fetch(`${origin}/crash`);
    await server.printedError(/did not finish within server\.shutdown_timeout \(1 s\)/);
    expect((await server.ended).code).toBe(1);
    await endless;
  });
});
