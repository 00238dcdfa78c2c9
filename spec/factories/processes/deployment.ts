import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigObject } from '../../../src/framework';
import { hashWithBcrypt } from '../../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import { ALL_MODULES, type TestProject } from '../platform';
import { basic } from '../http/requests';
import { ServerProcesses, type ServerProcess } from './server-process';

/** The administrators of a deployment, who have the same password. */
export const ADMINISTRATORS = ['ada', 'bob'] as const;
const PASSWORD = 'correct horse';

const API = '/platform/admin/api/v1';

/** Selectors whose names begin with this cannot be used by nodes with the environment variable STRICT. */
export const BAD = 'Bad';

const STRICT = `
module.exports = {
  name: 'strict',
  onBootstrap({ application }) {
    const selectors = application.configuration.valueAt(['platform-content-negotiation', 'selectors']) ?? {};
    const bad = Object.keys(selectors).find((name) => name.startsWith('${BAD}'));
    if (process.env.STRICT && bad) throw new Error('the selector ' + bad + ' is not allowed here');
  },
};
`;

/** A node of a deployment: a process of its own, with its own folder. */
export class TestNode {
  readonly id: string;
  readonly root: string;
  readonly #start: (environment: Record<string, string>) => ServerProcess;
  #process: ServerProcess | undefined;
  #origin = '';
  #operations = '';

  constructor(id: string, root: string, start: (environment: Record<string, string>) => ServerProcess) {
    this.id = id;
    this.root = root;
    this.#start = start;
  }

  /** Starts it, and waits until it listens. */
  async start(environment: Record<string, string> = {}): Promise<void> {
    const started = this.launch(environment);
    this.#origin = await started.origin();
    const metrics = await started.printed(/^Metrics +(\S+)\/metrics$/m);
    this.#operations = metrics;
  }

  /** Starts it without waiting. */
  launch(environment: Record<string, string> = {}): ServerProcess {
    const started = this.#start({
      PLATFORM_NODE: this.id,
      OPERATIONS_LISTEN: '127.0.0.1:0',
      LOG_LEVEL: 'info',
      ...environment,
    });
    this.#process = started;
    return started;
  }

  get process(): ServerProcess {
    if (this.#process === undefined) throw new Error('The node was not started.');
    return this.#process;
  }

  get origin(): string {
    return this.#origin;
  }

  /** The origin of its operations port. */
  get operations(): string {
    return this.#operations;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.process.child.kill(signal);
    await this.process.ended;
  }

  /** Calls the admin API. */
  async call(
    method: string,
    service: string,
    body?: ConfigObject,
    user: string = ADMINISTRATORS[0],
    headers: Record<string, string> = {},
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown>; readonly etag: string }> {
    const response = await fetch(this.#origin + API + service, {
      method,
      headers: {
        Authorization: basic(user, PASSWORD),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, body: parsed, etag: response.headers.get('etag') ?? '' };
  }

  /** Creates a content negotiation selector, which is a small change. */
  async createSelector(name: string, user?: string): Promise<number> {
    return (await this.call('POST', '/selectors', { name }, user)).status;
  }

  /** Whether it serves a selector. */
  async hasSelector(name: string): Promise<boolean> {
    return (await this.call('GET', `/selectors/${name}`)).status === 200;
  }

  async ready(): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    const response = await fetch(`${this.#operations}/ready`);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  local(): string {
    return readFileSync(path.join(this.root, 'config/autoload/local.json'), 'utf8');
  }
}

/** Nodes with one configuration store. */
export class TestDeployment {
  readonly #processes = new ServerProcesses();
  readonly #cluster: ConfigObject;
  readonly #administrators: Promise<string>;

  /** @param cluster `platform-cluster` */
  constructor(cluster: ConfigObject) {
    this.#cluster = cluster;
    // The lowest cost of bcrypt: tests sign in often.
    this.#administrators = hashWithBcrypt(PASSWORD, 4).then((hash) =>
      ADMINISTRATORS.map((name) => `${name}:${hash}\n`).join(''),
    );
  }

  /** Creates a node with the same files as all others; it is not started. */
  async node(id: string, local: ConfigObject = {}, more: TestProject = {}): Promise<TestNode> {
    const modules = [
      'cluster',
      ...ALL_MODULES.filter((name) => name !== 'atlas'),
      'admin',
      './modules/strict.js',
      ...(more.modules ?? []),
    ];
    const root = this.#processes.project({
      modules,
      local,
      files: {
        'data/administrators.htpasswd': await this.#administrators,
        'modules/strict.js': STRICT,
        'config/autoload/cluster.global.json': JSON.stringify({
          'platform-cluster': this.#cluster,
          'platform-operations': { access_log: { enabled: false } },
        }),
        ...more.files,
      },
    });
    return new TestNode(id, root, (environment) => this.#processes.start(['--root', root], environment));
  }

  /** Ends all nodes, and removes their folders. */
  clear(): void {
    this.#processes.clear();
  }
}

/** Milliseconds that a condition may take; in CI, also on a busy machine. */
const TIMEOUT_MS = process.env.CI === 'true' ? 90_000 : 30_000;

/** Waits until something is the case. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Not within ${TIMEOUT_MS / 1000} seconds: ${what}`);
    await delay(100);
  }
}
