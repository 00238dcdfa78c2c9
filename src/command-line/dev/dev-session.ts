import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { listNames } from '../../framework';
import { prepareServer, sendCommand } from './server-process';

/** Milliseconds without a further change before a restart: editors and compilers write several files. */
const QUIET_MS = 50;

/** Milliseconds after a compilation in which the changes of its files are noticed. */
const SETTLE_MS = 500;

/** Milliseconds in which a server may end its requests before it is killed. */
const STOP_MS = 500;

/** The number of changed files that a message lists. */
const MAX_NAMES = 3;

interface Output {
  write(text: string): unknown;
}

/** Runs the server of a project as a process, and replaces it when files change. */
export class DevSession {
  readonly #root: string;
  readonly #stdout: Output;
  readonly #stderr: Output;
  #server: ChildProcess | undefined;
  /** The same process until it is ready. */
  #starting: ChildProcess | undefined;
  /** The next server, which has loaded the platform. */
  #spare: ChildProcess | undefined;
  /** Settled when the current start or restart is complete. */
  #working: Promise<void> = Promise.resolve();
  #isWorking = false;
  #isClosed = false;
  /** Printed with the first start, and again if it changes. */
  #origin: string | undefined;
  readonly #changed = new Set<string>();
  #changedAt: number | undefined;
  #due: NodeJS.Timeout | undefined;
  #settled: NodeJS.Timeout | undefined;

  constructor(root: string, { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output }) {
    this.#root = root;
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /** Starts the server, unless it is running, after the compiler has written its files. */
  start(): void {
    if (this.#server === undefined && !this.#isWorking) this.#schedule();
  }

  /** Notes the change of a source file, which a compiler turns into files that run. */
  noteSource(file: string): void {
    // Another compilation follows.
    clearTimeout(this.#settled);
    this.#changedAt ??= performance.now();
    this.#changed.add(file);
  }

  /** Forgets the changed sources, which do not compile. */
  forgetSources(): void {
    // Another change causes a restart.
    if (this.#due === undefined) this.#forgetChanges();
  }

  /** Forgets the changed sources after a compilation, unless what it has written causes a restart. */
  settle(): void {
    clearTimeout(this.#settled);
    this.#settled = setTimeout(() => this.forgetSources(), SETTLE_MS).unref();
  }

  /** Restarts the server when no further file has changed for a moment. */
  restart(file: string): void {
    // The sources of compiled files say more.
    if (![...this.#changed].some((one) => /\.[cm]?tsx?$/.test(one))) this.#changed.add(file);
    this.#changedAt ??= performance.now();
    this.#schedule();
  }

  /** Reloads the configuration, as administrators do: their sessions continue. */
  reload(file: string): void {
    const isReady = this.#server !== undefined && this.#starting === undefined;
    // The signal would end a server that does not handle it yet.
    if (process.platform === 'win32' || !isReady) this.restart(file);
    // It says on the console what it has done.
    else this.#server?.kill('SIGHUP');
  }

  /** Ends the server. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#due);
    this.#interruptStart();
    await this.#working;
    this.#spare?.kill('SIGKILL');
    await this.#stop();
  }

  #forgetChanges(): void {
    this.#changedAt = undefined;
    this.#changed.clear();
  }

  #schedule(): void {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => {
      this.#due = undefined;
      this.#interruptStart();
      this.#run(() => this.#restart());
    }, QUIET_MS);
  }

  /** Runs one step after the other. */
  #run(step: () => Promise<unknown>): void {
    this.#isWorking = true;
    const working = this.#working.then(async () => {
      try {
        if (!this.#isClosed) await step();
      } catch (error) {
        this.#stderr.write(`The server cannot be started: ${String(error)}. Waiting for a change.\n`);
      }
      if (this.#working === working) this.#isWorking = false;
    });
    this.#working = working;
  }

  async #restart(): Promise<void> {
    const started = this.#changedAt;
    const isFirst = this.#origin === undefined;
    // Another restart has included the changes.
    if (started === undefined && this.#server !== undefined) return;
    const names = [...this.#changed];
    this.#forgetChanges();
    await this.#stop();
    if (!(await this.#start()) || started === undefined || isFirst) return;
    const verb = names.length === 1 ? 'has' : 'have';
    this.#stdout.write(
      `Restarted in ${Math.round(performance.now() - started)} ms: ${listNames(names, MAX_NAMES)} ${verb} changed.\n`,
    );
  }

  /** @returns whether the server is ready; otherwise it has printed why not, and has ended */
  async #start(): Promise<boolean> {
    const server = this.#spare?.connected === true ? this.#spare : prepareServer(this.#root);
    this.#spare = undefined;
    this.#server = server;
    this.#starting = server;
    const ended = once(server, 'exit');
    const { PORT } = process.env;
    // A free port stays the same.
    const port = PORT === '0' && this.#origin !== undefined ? new URL(this.#origin).port : PORT;
    sendCommand(server, { command: 'start', knownOrigin: this.#origin, port });
    const ready = await Promise.race([
      once(server, 'message').then(([message]) => message as { readonly origin: string }),
      ended.then(() => undefined),
    ]);
    this.#starting = undefined;
    if (ready !== undefined) this.#origin = ready.origin;
    void ended.then(([code, signal]: readonly unknown[]) =>
      this.#ended(server, code ?? signal, ready !== undefined),
    );
    if (!this.#isClosed) this.#spare = prepareServer(this.#root);
    return ready !== undefined;
  }

  /** Ends a server that may never be ready, such as one whose module waits. */
  #interruptStart(): void {
    if (this.#starting === undefined) return;
    this.#server = undefined;
    this.#starting.kill('SIGKILL');
  }

  #ended(server: ChildProcess, status: unknown, wasReady: boolean): void {
    if (this.#server !== server) return;
    this.#server = undefined;
    // An error of the start is printed, and ends the process with 1.
    const how = wasReady || status !== 1 ? ` (${String(status)})` : '';
    const reason = `${wasReady ? 'The server has ended' : 'The server did not start'}${how}`;
    this.#stderr.write(`${reason}. Waiting for a change.\n`);
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    if (server.connected) sendCommand(server, { command: 'stop' });
    const kill = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(kill);
  }
}
