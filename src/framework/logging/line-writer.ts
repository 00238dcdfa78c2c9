import type { LineSink } from './line-sink';

/** Characters that are written at once, whatever else happens in the same turn. */
const MAX_BATCH = 65_536;

/** Characters that wait at most while nothing can be written; lines that come after them are left out. */
const MAX_WAITING = 4_194_304;

/** Milliseconds until it is tried again where nothing could be written: at first, and after many times. */
const FIRST_RETRY_MS = 4;
const LAST_RETRY_MS = 250;

/** Milliseconds that a process which exits waits for a slow reader. */
const EXIT_TIMEOUT_MS = 1000;

const EMPTY = Buffer.alloc(0);

/** Who is told when lines cannot be written, once, and when they can be again. */
export interface LineWriterEvents {
  failed(error: unknown): void;
  /** @param lost lines that were left out meanwhile */
  recovered(lost: number): void;
}

export interface LineWriterOptions {
  /** Writes each line at once, so that a process which is killed loses none; for few lines that matter. */
  readonly immediate?: boolean;
}

/**
 * Appends lines to what they go to, and never waits for it. Those of one turn of the event loop are written together at
 * its end, with one call of the system instead of one each: a process that is killed loses no line of an earlier turn,
 * and one that exits none, by an uncaught exception neither.
 *
 * Where nothing can be written (a full disk, a pipe that nobody reads from), lines wait and are tried again; when too
 * many wait, further ones are left out and counted.
 */
export class LineWriter {
  readonly #sink: LineSink;
  readonly #events: LineWriterEvents;
  readonly #isImmediate: boolean;
  readonly #flush = (): void => this.flush();
  readonly #exit = (): void => this.#flushAtExit();
  #waiting = '';
  /** What could not be written, from the first octet that is missing in the sink. */
  #unwritten: Buffer = EMPTY;
  #isScheduled = false;
  #retry: NodeJS.Timeout | undefined;
  #retryDelay = FIRST_RETRY_MS;
  #hasFailed = false;
  #isClosing = false;
  #isClosed = false;
  #lost = 0;

  constructor(sink: LineSink, events: LineWriterEvents, { immediate = false }: LineWriterOptions = {}) {
    this.#sink = sink;
    this.#events = events;
    this.#isImmediate = immediate;
    process.on('exit', this.#exit);
  }

  /** @param line with its end */
  write(line: string): void {
    if (this.#isClosing) return;
    if (this.#waiting.length + this.#unwritten.length >= MAX_WAITING) {
      this.#lost++;
      return;
    }
    this.#waiting += line;
    if (this.#retry !== undefined) return;
    if (this.#isImmediate || this.#waiting.length >= MAX_BATCH) {
      this.flush();
    } else if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(this.#flush);
    }
  }

  /** Writes what waits, as far as it can be written now. */
  flush(): void {
    this.#isScheduled = false;
    if (this.#isClosed) return;
    const failure = this.#writeWaiting();
    if (failure !== undefined) {
      this.#scheduleRetry(failure.error);
      return;
    }
    this.#recover();
    if (this.#isClosing && !this.#hasWaiting) this.#closeSink();
  }

  /** Takes no further lines, and closes the sink when those that wait are written; at the latest when it exits. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.flush();
  }

  get #hasWaiting(): boolean {
    return this.#unwritten.length > 0 || this.#waiting !== '';
  }

  #writeWaiting(): { readonly error: unknown } | undefined {
    try {
      while (this.#hasWaiting) {
        if (this.#unwritten.length === 0) {
          this.#unwritten = Buffer.from(this.#waiting);
          this.#waiting = '';
        }
        this.#unwritten = this.#unwritten.subarray(this.#sink.write(this.#unwritten));
        // A reader that has made room is back: the rest of a backlog follows soon.
        this.#retryDelay = FIRST_RETRY_MS;
      }
      this.#unwritten = EMPTY;
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  #scheduleRetry(error: unknown): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.flush();
    }, this.#retryDelay).unref();
    this.#retryDelay = Math.min(this.#retryDelay * 2, LAST_RETRY_MS);
    // A reader that is slow for a moment is no trouble.
    if (this.#hasFailed || isBusy(error)) return;
    this.#hasFailed = true;
    this.#events.failed(error);
  }

  #recover(): void {
    if (!this.#hasFailed && this.#lost === 0) return;
    const [lost, isClosing] = [this.#lost, this.#isClosing];
    // Before it is told: that may write a line here, the last one too.
    [this.#hasFailed, this.#lost, this.#isClosing] = [false, 0, false];
    this.#events.recovered(lost);
    this.#isClosing = isClosing;
  }

  /** Nothing happens any more in this process: a slow reader is waited for, not for ever. */
  #flushAtExit(): void {
    if (this.#isClosed) return;
    const end = performance.now() + EXIT_TIMEOUT_MS;
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (;;) {
      const failure = this.#writeWaiting();
      if (failure === undefined) {
        this.#recover();
        if (!this.#hasWaiting) return;
      } else if (!isBusy(failure.error)) return;
      if (performance.now() > end) return;
      Atomics.wait(never, 0, 0, 5);
    }
  }

  #closeSink(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    process.off('exit', this.#exit);
    this.#sink.close();
  }
}

function isBusy(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'EAGAIN' || code === 'EBUSY';
}
