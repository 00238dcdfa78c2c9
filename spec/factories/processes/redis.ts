import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { executableOf } from './programs';
import { freePort } from '../http/free-port';

const READY_TIMEOUT_MS = 30_000;

/**
 * A Redis server on a free port, which keeps nothing on disk unless `SAVE` is sent. Its spec declares
 * `withPrograms('redis-server')`.
 */
export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;
  #client: Redis | undefined;

  private constructor(port: number, args: readonly string[]) {
    this.port = port;
    this.#args = args;
    this.#folder = mkdtempSync(path.join(tmpdir(), 'redis-'));
  }

  /** @param args further arguments, such as `['--requirepass', 'secret']` */
  static async start(args: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), args);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it, again too, and waits until it responds. A restart loads what `SAVE` has written. */
  async start(): Promise<void> {
    await this.kill();
    const settings = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''];
    const child = spawn(
      executableOf('redis-server'),
      [...settings, '--appendonly', 'no', '--repl-diskless-sync-delay', '0', ...this.#args],
      { stdio: ['ignore', 'pipe', 'pipe'], env: process.env },
    );
    this.#process = child;
    prefer(child);
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const end = Date.now() + READY_TIMEOUT_MS;
    while (!log.includes('Ready to accept connections')) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`Redis did not start: ${log}`);
      await delay(10);
    }
  }

  /** Sends a command to it. */
  async command(name: string, ...args: readonly string[]): Promise<unknown> {
    this.#client ??= new Redis(this.url, { retryStrategy: () => 50 }).on('error', () => undefined);
    return this.#client.call(name, ...args);
  }

  /** Stops responding, without closing connections. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Ends it. Its data is there after the next start. */
  async stop(): Promise<void> {
    await this.command('SAVE');
    await this.kill();
  }

  /** Ends it, and removes its data. */
  async close(): Promise<void> {
    this.#client?.disconnect();
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Nodes wait 100 ms for a reply: on a busy machine, a server that is scheduled as late as others would be unavailable. */
function prefer({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Users other than root may not.
  }
}
