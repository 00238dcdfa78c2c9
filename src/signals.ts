import { closeSync, openSync } from 'node:fs';
import { StartError } from './framework';
import type { RunningPlatform } from './start';

/** What the system tells a running service: to stop, or to take its configuration up again. */
export class Signals {
  /** A service that was started in a terminal, and writes to it, goes with it, as every other program does. */
  readonly #inTerminal = process.stdout.isTTY && hasTerminal();
  #platform: RunningPlatform | undefined;
  #hungUp = false;
  #stopping = false;

  /** Listens for SIGHUP, which would end a process that does not: one that comes during the start waits for it. */
  constructor() {
    process.on('SIGHUP', () => this.#hangUp());
  }

  /** The service runs: signals are meant for it from now on. */
  serve(platform: RunningPlatform): void {
    this.#platform = platform;
    process.on('SIGINT', () => this.#stop(platform));
    process.on('SIGTERM', () => this.#stop(platform));
    if (this.#hungUp) this.#hangUp();
  }

  #hangUp(): void {
    if (this.#inTerminal && !hasTerminal()) {
      if (this.#platform === undefined) process.exit(129);
      this.#stop(this.#platform);
    } else if (this.#platform === undefined) this.#hungUp = true;
    else if (!this.#stopping) void reload(this.#platform);
  }

  #stop(platform: RunningPlatform): void {
    if (this.#stopping) process.exit(1);
    this.#stopping = true;
    process.stdout.write('Stopping: requests in flight finish. Once more to stop at once.\n');
    void platform.stop().then(() => process.exit(0));
  }
}

/** Takes up what the files say now, and tells how that went. */
async function reload({ host }: RunningPlatform): Promise<void> {
  try {
    const { restart } = await host.reload();
    process.stdout.write('Configuration taken up.\n');
    for (const warning of host.current.warnings) process.stderr.write(`Warning: ${warning}\n`);
    if (restart.length > 0) process.stderr.write(`Only a restart takes up: ${restart.join(', ')}.\n`);
  } catch (error) {
    process.stderr.write(`${describe(error)}\nThe old configuration stays in force.\n`);
  }
}

/** SIGHUP also tells that the terminal was closed; then there is none to be opened any more. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** What went wrong, for the console: with its stack where no operator is meant to mend it. */
export function describe(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
