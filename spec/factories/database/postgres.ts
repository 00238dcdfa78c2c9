import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresAdapter } from '../../../src/modules/database/adapters/postgres/postgres-adapter';
import { executableOf } from '../processes/programs';
import { freePort } from '../http/free-port';

const READY_TIMEOUT_MS = 30_000;

interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** A PostgreSQL server on a free port, with a new data folder. Its spec declares `withPrograms('postgres')`. */
export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #user: User;
  readonly #adapters: PostgresAdapter[] = [];
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string, user: User) {
    this.port = port;
    this.#folder = folder;
    this.#user = user;
  }

  static async start(): Promise<PostgresServer> {
    const user = unprivilegedUser();
    const folder = mkdtempSync(path.join(tmpdir(), 'postgres-'));
    if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
    const server = new PostgresServer(await freePort(), folder, user);
    try {
      // A copy takes a fraction of the time of `initdb`.
      copyFolder(await initializedFolder(user), server.#data, user);
      await server.start();
    } catch (error) {
      // Its process and folder would remain after the run.
      await server.close();
      throw error;
    }
    return server;
  }

  url(database = 'postgres'): string {
    return `postgres://admin:secret@127.0.0.1:${this.port}/${database}`;
  }

  /** The process of the server. */
  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** An adapter, closed with the server. */
  adapter(
    options: { readonly pool?: number; readonly statement_timeout?: number } = {},
    database?: string,
  ): PostgresAdapter {
    const adapter = new PostgresAdapter({ url: this.url(database), ...options });
    this.#adapters.push(adapter);
    return adapter;
  }

  /** Creates what `CREATE DATABASE` copies, while there are no other connections. */
  async createTemplate(): Promise<void> {
    await this.adapter().execute({ text: 'CREATE DATABASE template1 TEMPLATE postgres', kind: 'read' }, []);
  }

  /** Starts it, again too, and waits until it accepts connections. */
  async start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: 60,
      shared_buffers: '16MB',
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(program('postgres'), ['-D', this.#data, ...flags], {
      ...this.#user,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: process.env,
    });
    this.#process = child;
    const log: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
    const end = Date.now() + READY_TIMEOUT_MS;
    while (!log.join('').includes('ready to accept connections')) {
      if (child.exitCode !== null || Date.now() > end)
        throw new Error(`PostgreSQL did not start: ${log.join('')}`);
      await delay(20);
    }
  }

  /** Stops it at once, without waiting for connections. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // A paused process ends only when it continues.
    child.kill('SIGCONT');
    child.kill('SIGQUIT');
    await ended;
  }

  /** Ends it with its adapters, and removes its data. */
  async close(): Promise<void> {
    await Promise.all(this.#adapters.map((adapter) => adapter.close()));
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return path.join(this.#folder, 'data');
  }
}

const INITDB_FLAGS = [
  '--username=admin',
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C.UTF-8',
  '--no-sync',
  // MiB. Each server has a copy of the first segment.
  '--wal-segsize=1',
];

/** The templates of further databases: two thirds of the files that each server has a copy of. */
const WITHOUT_TEMPLATES = `UPDATE pg_database SET datistemplate = false;
DROP DATABASE template0;
DROP DATABASE template1;
`;

/**
 * The data folder of a new server, which the first suite that needs one creates for all suites of this run; the end of
 * the run removes it.
 */
async function initializedFolder(user: User): Promise<string> {
  // In a folder of its own, since PostgreSQL has to be allowed to read it.
  const folder = `${process.env.SPEC_PROGRAMS}-postgres`;
  const initialized = path.join(folder, 'data');
  if (makeFolder(folder, user)) {
    const next = path.join(folder, 'next');
    runAs(user, program('initdb'), ['-D', next, ...INITDB_FLAGS]);
    runAs(user, program('postgres'), ['--single', '-F', '-D', next, 'postgres'], WITHOUT_TEMPLATES);
    renameSync(next, initialized);
  }
  const end = Date.now() + READY_TIMEOUT_MS;
  while (!existsSync(initialized)) {
    if (Date.now() > end) throw new Error(`The suite that runs initdb in ${folder} did not finish.`);
    await delay(50);
  }
  return initialized;
}

/** @returns whether it did not exist */
function makeFolder(folder: string, { uid, gid }: User): boolean {
  if (mkdirSync(folder, { recursive: true }) === undefined) return false;
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return true;
}

/** PostgreSQL requires that nobody else can read its data: with their permissions. */
function copyFolder(from: string, to: string, user: User): void {
  runAs(user, '/bin/cp', ['-rp', from, to]);
}

function runAs(user: User, command: string, args: readonly string[], input = ''): void {
  const options = { ...user, encoding: 'utf8', env: process.env, input } as const;
  const { status, stderr, error } = spawnSync(command, args, options);
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}

/** A program of the server, next to the one that is declared. */
function program(name: string): string {
  return path.join(path.dirname(realpathSync(executableOf('postgres'))), name);
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package creates. */
function unprivilegedUser(): User {
  if (process.getuid?.() !== 0) return {};
  // Read, since starting a process (`id`) takes more processor time.
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
