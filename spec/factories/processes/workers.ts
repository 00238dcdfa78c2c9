import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConfigObject } from '../../../src/framework';
import { systemErrorCode } from '../../../src/framework/errors/system-error-code';
import type { TestProject } from '../platform';

/**
 * A module whose operation says which process responds, and with which configuration. Its setting `refused` makes
 * workers refuse a configuration that the primary accepts.
 */
const MODULE = `
import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
let current;
const Where = { kind: 'rpc', route: '/where', methods: { GET: { handler: () => ({ pid: process.pid, ...current }) } } };
const Slow = { kind: 'rpc', route: '/slow', methods: { GET: { handler: () => pause(1500, { pid: process.pid }) } } };
const Long = { kind: 'rpc', route: '/long', methods: { GET: { handler: () => pause(60_000, {}) } } };
const Crash = { kind: 'rpc', route: '/crash', methods: { POST: { handler: () => { setImmediate(() => { throw new Error('crash'); }); return {}; } } } };
export default class {
  name = 'where';
  requires = ['hosting', 'operations'];
  schemas = { where: { type: 'object', properties: { mark: { type: 'string' }, refused: { type: 'string' } } } };
  apis = [{ name: 'Where', versions: { 1: { services: { Where, Slow, Long, Crash } } } }];
  onBootstrap({ application }) {
    const refused = application.configuration.valueAt(['where', 'refused']);
    if (cluster.isWorker && refused !== undefined) throw Object.assign(new Error(refused), { name: 'ConfigurationError' });
    const at = (...path) => application.configuration.valueAt(path);
    const selectors = Object.keys(at('platform-content-negotiation', 'selectors') ?? {});
    // Only when it is active, which candidates may never be.
    const next = { mark: at('where', 'mark') ?? null, selectors };
    if (current === undefined) current = next;
    application.events.attach('reload', () => { current = next; });
  }
}
`;

/** A project with several workers and that module. */
export function workersProject(
  local: ConfigObject = {},
  { modules = [], files = {} }: TestProject = {},
): TestProject {
  return {
    modules: ['./where.mjs', ...modules],
    local: { server: { workers: 2, shutdown_timeout: 20 }, ...local },
    files: { 'where.mjs': MODULE, ...files },
  };
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly authenticate: string | undefined;
}

/** Sends a GET over a connection of an agent; a new one by default. */
export function get(
  url: string,
  { agent, headers = {} }: { readonly agent?: Agent; readonly headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: agent ?? false, headers, timeout: 60_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text,
          authenticate: response.headers['www-authenticate'],
        }),
      );
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response')));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

export interface Where {
  readonly pid: number;
  readonly mark: string | null;
  readonly selectors: readonly string[];
}

/** Asks over new connections which process responds, as often as given. */
export async function askWhere(origin: string, times: number): Promise<readonly Where[]> {
  const answers = await Promise.all(Array.from({ length: times }, () => get(`${origin}/where`)));
  return answers.map(({ text }) => JSON.parse(text) as Where);
}

/** The processes that a process has started, in the order of their numbers. */
export function childrenOf(pid: number | undefined): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((one) => parentOf(one) === pid)
    .sort((a, b) => a - b);
}

/** @throws Error if there is none: the number 0 would be that of all processes of the test run */
export function firstChildOf(pid: number | undefined): number {
  const [first] = childrenOf(pid);
  if (first === undefined) throw new Error(`The process ${String(pid)} has started no other.`);
  return first;
}

/** Reads the number from `/proc`: a small system has no `pgrep`. Null for what is not a running process. */
function parentOf(pid: number): number | null {
  try {
    // Its name, in parentheses, may have spaces and parentheses.
    const [parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) \S /s, '')
      .split(' ', 1);
    return Number(parent);
  } catch {
    return null;
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a condition holds; a timeout fails at the next expectation. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3_000 && !(await isSo()); tries++) await pause(20);
}

/** What clients on keep-alive connections met. */
export interface ClientResults {
  requests: number;
  readonly failures: string[];
}

/**
 * Clients on keep-alive connections, each of which sends one request after the other, until they are stopped.
 * @param retries whether they repeat requests whose connection was closed, as idempotent requests may be (RFC 9110,
 *   9.2.2)
 */
export function startClients(
  url: string,
  { clients = 8, retries = false }: { readonly clients?: number; readonly retries?: boolean } = {},
): { readonly results: ClientResults; stop(): Promise<ClientResults> } {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const results: ClientResults = { requests: 0, failures: [] };
  let isRunning = true;
  const ask = async (attempt: number): Promise<void> => {
    const failure = await get(url, { agent }).then(
      ({ status }) => (status === 200 ? undefined : `status ${status}`),
      // Errors of Node have another class than those of the suite.
      (error: unknown) => systemErrorCode(error) || String(error),
    );
    if (failure === undefined) return;
    if (retries && attempt < 3 && /^(ECONNRESET|EPIPE)$/.test(failure)) return ask(attempt + 1);
    results.failures.push(failure);
  };
  const running = Array.from({ length: clients }, async () => {
    while (isRunning) {
      await ask(1);
      results.requests++;
    }
  });
  return {
    results,
    stop: async () => {
      isRunning = false;
      await Promise.all(running);
      agent.destroy();
      return results;
    },
  };
}
