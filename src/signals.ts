import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { UsageError } from './command-line/usage-error';
import { ConfigurationError, LogFiles, serverSettings, timerDelay } from './framework';
import { onParentExit } from './parent-process';
import { watchErrors } from './process-errors';
import { notifyServiceManager, type ServiceState } from './service-manager';
import type { RunningPlatform } from './start';

/** Seconds after the shutdown should have ended before a failed process exits without waiting any longer. */
const GRACE_SECONDS = 5;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Shuts down on SIGINT and SIGTERM, reloads the configuration on SIGHUP, reopens log files on SIGUSR2. */
export class Signals {
  /** A server that writes to the terminal it was started in stops when that terminal is closed. */
  readonly #inTerminal = process.stdout.isTTY && hasTerminal();
  #platform: RunningPlatform | undefined;
  #reloadPending = false;
  #replacementPending = false;
  #stopping = false;
  #exitCode = 0;

  /**
   * Handles SIGHUP and SIGUSR2 from now on, since their default action ends the process. During startup, SIGHUP is
   * deferred, and log files are not open for long. SIGINT and SIGTERM have no default action in the first process of a
   * container: a stop during startup would be ignored.
   */
  constructor() {
    process.on('SIGHUP', () => this.#hangUp());
    process.on('SIGUSR2', () => this.#reopenLogs());
    if (process.pid === 1) for (const signal of STOP_SIGNALS) process.on(signal, endStart);
  }

  /**
   * Handles SIGUSR1 from now on, also before the workers have started: it is deferred until then. Without workers, Node
   * starts its debugger.
   */
  expectWorkers(): void {
    process.on('SIGUSR1', () => this.#replaceWorkers());
  }

  /** Applies signals to this server, including a SIGHUP or SIGUSR1 that arrived during startup. */
  serve(platform: RunningPlatform): void {
    this.#platform = platform;
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => this.#stop(platform));
      process.off(signal, endStart);
    }
    if (process.env.npm_lifecycle_event === 'start') onParentExit(() => this.#stop(platform));
    watchErrors(platform, () => this.#fail(platform));
    if (this.#reloadPending) this.#hangUp();
    if (this.#replacementPending) this.#replaceWorkers();
  }

  #replaceWorkers(): void {
    if (this.#stopping) return;
    if (this.#platform === undefined) {
      this.#replacementPending = true;
      return;
    }
    const { workers } = this.#platform;
    process.stdout.write('Replacing the workers one after the other.\n');
    workers?.replaceAll().then(
      () => this.#stopping || process.stdout.write('All workers replaced.\n'),
      (error: unknown) => process.stderr.write(`${describe(error)}\n`),
    );
  }

  #hangUp(): void {
    if (this.#inTerminal && !hasTerminal()) {
      if (this.#platform === undefined) process.exit(129);
      this.#stop(this.#platform);
    } else if (this.#platform === undefined) this.#reloadPending = true;
    else if (!this.#stopping) void reload(this.#platform);
  }

  #reopenLogs(): void {
    void this.#platform?.workers?.reopenLogs();
    const files = this.#platform?.application.sharedState.find(LogFiles)?.reopen() ?? 0;
    process.stderr.write(files > 0 ? 'Log files reopened.\n' : 'No log files to reopen.\n');
  }

  /** Shuts down after an uncaught exception, which leaves the process in an unknown state. */
  #fail(platform: RunningPlatform): void {
    this.#exitCode = 1;
    // The shutdown itself may hang.
    const seconds = shutdownSeconds(platform) + GRACE_SECONDS;
    setTimeout(() => process.exit(1), timerDelay(seconds)).unref();
    if (!this.#stopping) this.#stop(platform);
  }

  #stop(platform: RunningPlatform): void {
    if (this.#stopping) process.exit(1);
    this.#stopping = true;
    process.stdout.write('Shutting down gracefully. Press Ctrl+C again to force.\n');
    notify('stopping');
    platform.stop().then(
      () => process.exit(this.#exitCode),
      () => process.exit(1),
    );
  }
}

/** Exits with the code that a shell gives to a process which a signal has ended. */
function endStart(signal: NodeJS.Signals): void {
  process.exit(128 + constants.signals[signal]);
}

/** Reloads the configuration, and reports the result on the console. */
async function reload({ host }: RunningPlatform): Promise<void> {
  notify('reloading');
  try {
    const { restart } = await host.reload();
    host.current.observers.notify('reloaded', {});
    process.stdout.write('Configuration reloaded.\n');
    for (const warning of host.current.warnings) process.stderr.write(`Warning: ${warning}\n`);
    if (restart.length > 0) process.stderr.write(`Requires a restart: ${restart.join(', ')}.\n`);
  } catch (error) {
    host.current.observers.notify('reloaded', { error });
    process.stderr.write(`${describe(error)}\nThe previous configuration stays active.\n`);
  }
  notify('ready');
}

function shutdownSeconds({ host }: RunningPlatform): number {
  const { drain_delay: delay, shutdown_timeout: timeout } = host.current.configuration.section(
    'server',
    serverSettings,
  );
  return delay + timeout;
}

/** Tells the service manager; a failure is printed. */
export function notify(state: ServiceState): void {
  notifyServiceManager(state, process.env, (message) => process.stderr.write(`Warning: ${message}\n`));
}

/** Returns false once the controlling terminal is closed, which also sends SIGHUP. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Formats an error for the console, with its stack unless the message is meant for operators. */
export function describe(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof UsageError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
