// The server of a project as a process of its own, which reports its memory and its resources.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from './project.mjs';

const PROBE = path.join(import.meta.dirname, 'probe.cjs');
const SERVER = path.join(root, 'dist/index.js');

/** Milliseconds that a start may take on a busy machine. */
const MAX_START_MS = 120_000;

export class ServerProcess {
  output = '';
  errors = '';
  /** The exit code, or the signal that ended it. */
  exit;
  #child;

  /**
   * @param {{ env?: Record<string, string>, command?: string[], isProbed?: boolean }} options `command`: a program that
   *   starts the server, with its arguments; `isProbed`: whether it can be measured
   */
  constructor(folder, { env = {}, command = [], isProbed = true } = {}) {
    const [program, ...args] = [
      ...command,
      process.execPath,
      ...(isProbed ? ['--expose-gc', '--require', PROBE] : []),
      SERVER,
      '--root',
      folder,
    ];
    this.#child = spawn(program, args, {
      env: { PATH: process.env.PATH, PORT: '0', OPERATIONS_LISTEN: '127.0.0.1:0', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.stdout = this.#child.stdout;
    this.stderr = this.#child.stderr;
    this.stdout.on('data', (chunk) => (this.output = (this.output + chunk).slice(-100_000)));
    this.stderr.on('data', (chunk) => (this.errors = (this.errors + chunk).slice(-100_000)));
    const kill = () => this.#child.kill('SIGKILL');
    process.once('exit', kill);
    this.ended = new Promise((resolve) =>
      this.#child.once('close', (code, signal) => {
        process.off('exit', kill);
        this.exit = code ?? signal;
        resolve(this.exit);
      }),
    );
  }

  get pid() {
    return this.#child.pid;
  }

  /** Waits until it listens. @throws Error when it ends instead */
  async listening() {
    const [, origin] = await this.printed(/^Documentation +(\S+?)\/platform\/documentation$/m);
    this.origin = origin;
    [, this.operations] = /^Metrics +(\S+)\/metrics$/m.exec(this.output) ?? [];
    return this;
  }

  /** Waits for a text on standard output or standard error. */
  async printed(pattern) {
    const end = performance.now() + MAX_START_MS;
    while (performance.now() < end) {
      const found = pattern.exec(this.output) ?? pattern.exec(this.errors);
      if (found !== null) return found;
      if (this.exit !== undefined) break;
      await delay(5);
    }
    throw new Error(`The server did not print ${pattern}: ${this.output}${this.errors}`);
  }

  /** How often a text was printed. */
  count(text) {
    return this.#counted(text, this.output) + this.#counted(text, this.errors);
  }

  #counted(text, printed) {
    return printed.split(text).length - 1;
  }

  signal(name) {
    this.#child.kill(name);
  }

  /** Sends a signal. @returns the exit code, or the signal that ended it */
  stop(name = 'SIGTERM') {
    this.#child.kill(name);
    return this.ended;
  }

  /**
   * Measures after a garbage collection.
   * @returns {Promise<{ heap: number, rss: number, resources: number, descriptors: number }>} heap and rss in MB
   */
  async measure() {
    const answer = new Promise((resolve, reject) => {
      this.#child.once('message', resolve);
      void this.ended.then((exit) => reject(new Error(`The server ended: ${exit}. ${this.errors}`)));
    });
    this.#child.send('measure');
    const { heap, resources } = await answer;
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const rss = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
    const descriptors = readdirSync(`/proc/${this.pid}/fd`).length;
    return { heap: heap / 1_048_576, rss, resources, descriptors };
  }
}

/** Starts the server of a project, and waits until it listens. */
export const startServer = (folder, options) => new ServerProcess(folder, options).listening();
