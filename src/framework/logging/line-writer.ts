import { systemErrorCode } from '../errors/system-error-code';
import type { LineSink } from './line-sink';

/** A batch of this many characters is written immediately. */
const MAX_BATCH = 65_536;

/** The size of the buffer that lines are encoded into again and again: more than those of a turn under load have. */
const ENCODING_BYTES = 65_536;

/** The bytes of a UTF-16 code unit in UTF-8, at most. */
const MAX_BYTES_PER_UNIT = 3;

/** Maximum buffered characters while nothing can be written; further lines are dropped. */
const MAX_BUFFERED = 4_194_304;

/** The delay before a failed write is retried: at first, and at most. */
const FIRST_RETRY_MS = 4;
const LAST_RETRY_MS = 250;

/** How often it is checked whether the file was removed, in milliseconds. */
const CHECK_MS = 1000;

/** How long an exiting process waits for a slow reader, in milliseconds. */
const EXIT_TIMEOUT_MS = 1000;

const LINE_BREAK = 10;
const EMPTY = Buffer.alloc(0);

export interface LineWriterEvents {
  /** Called once when lines cannot be written. */
  failed(error: unknown): void;
  /** Called when they can be written again. @param lost number of dropped lines */
  recovered(lost: number): void;
  /** Called when the file was removed, and has been created again. */
  recreated?(): void;
}

export interface LineWriterOptions {
  /** Writes each line immediately, so that a killed process loses none; for few, important lines. */
  readonly immediate?: boolean;
  /** How many lines a text has that is written; defaults to one. */
  readonly linesOf?: (text: string) => number;
}

/**
 * Appends lines to a sink without blocking. The lines of one turn of the event loop are written together, with one
 * system call: a killed process loses at most the lines of the current turn, and an exiting process loses none, even
 * after an uncaught exception.
 *
 * If nothing can be written (a full disk, a pipe without a reader), lines are buffered and retried; beyond the
 * maximum, further lines are dropped and counted.
 */
export class LineWriter {
  #sink: LineSink;
  readonly #events: LineWriterEvents;
  #isImmediate: boolean;
  readonly #linesOf: (text: string) => number;
  readonly #flush = (): void => this.flush();
  readonly #exit = (): void => this.#flushAtExit();
  #buffered = '';
  /** Encoded bytes that are not yet written. */
  #unwritten: Buffer = EMPTY;
  /** Holds the bytes to write; created by the first line. A buffer for each write would cost as much as the encoding. */
  #encoding: Buffer | undefined;
  /** Whether the last written byte was not a line break. */
  #isInLine = false;
  #isReopening = false;
  #checkedAt = performance.now();
  #isScheduled = false;
  #retry: NodeJS.Timeout | undefined;
  #retryDelay = FIRST_RETRY_MS;
  #hasFailed = false;
  #isClosing = false;
  #isClosed = false;
  #lost = 0;

  constructor(
    sink: LineSink,
    events: LineWriterEvents,
    { immediate = false, linesOf = () => 1 }: LineWriterOptions = {},
  ) {
    this.#sink = sink;
    this.#events = events;
    this.#isImmediate = immediate;
    this.#linesOf = linesOf;
    process.on('exit', this.#exit);
  }

  /** @param line with its line break */
  write(line: string): void {
    if (this.#isClosing) return;
    if (this.#buffered.length + this.#unwritten.length >= MAX_BUFFERED) {
      this.#lost += this.#linesOf(line);
      return;
    }
    this.#buffered += line;
    if (this.#retry !== undefined) return;
    if (this.#isImmediate || this.#buffered.length >= MAX_BATCH) {
      this.flush();
    } else if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(this.#flush);
    }
  }

  /** Writes buffered lines, as far as possible without blocking. */
  flush(): void {
    this.#isScheduled = false;
    if (this.#isClosed) return;
    const failure = this.#writeBuffered();
    if (failure !== undefined) {
      this.#scheduleRetry(failure.error);
      return;
    }
    this.#recover();
    if (this.#isClosing && !this.#hasUnwritten) this.#closeSink();
  }

  /** Accepts no further lines, and closes the sink after the buffered ones, at the latest when the process exits. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.flush();
  }

  /**
   * Opens the file again by its name, e.g. after it was renamed: the line that is being written is completed in the old
   * file, and all others are in one of both. If that fails, lines are buffered until it succeeds.
   */
  reopen(): void {
    if (this.#sink.reopen === undefined || this.#isClosing) return;
    this.#isReopening = true;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.flush();
  }

  /** Opens the file again if that was requested, or if it was removed. @throws the error of the file system */
  #renewSink(): void {
    const isRemoved = this.#isRemoved();
    if (!isRemoved && !this.#isReopening) return;
    const next = this.#sink.reopen?.();
    if (next === undefined) return;
    this.#completeLine();
    this.#sink.close();
    this.#sink = next;
    if (isRemoved && !this.#isReopening) this.#events.recreated?.();
    this.#isReopening = false;
  }

  #isRemoved(): boolean {
    const now = performance.now();
    // While the file cannot be created again, every retry checks.
    if (now - this.#checkedAt < CHECK_MS && !this.#hasFailed) return false;
    this.#checkedAt = now;
    return this.#sink.isDetached?.() === true;
  }

  /** Writes the rest of a line that was written in part; it is lost if that fails. */
  #completeLine(): void {
    if (!this.#isInLine) return;
    const end = this.#unwritten.indexOf(LINE_BREAK) + 1;
    const line = this.#unwritten.subarray(0, end);
    this.#unwritten = this.#unwritten.subarray(end);
    this.#isInLine = false;
    try {
      if (this.#sink.write(line) < line.length) this.#lost++;
    } catch {
      this.#lost++;
    }
  }

  get #hasUnwritten(): boolean {
    return this.#unwritten.length > 0 || this.#buffered !== '';
  }

  #writeBuffered(): { readonly error: unknown } | undefined {
    try {
      this.#renewSink();
      while (this.#hasUnwritten) {
        if (this.#unwritten.length === 0) {
          this.#unwritten = this.#encode(this.#buffered);
          this.#buffered = '';
        }
        const written = this.#sink.write(this.#unwritten);
        if (written > 0) this.#isInLine = this.#unwritten[written - 1] !== LINE_BREAK;
        this.#unwritten = this.#unwritten.subarray(written);
        // The reader is back: retry the rest soon.
        this.#retryDelay = FIRST_RETRY_MS;
      }
      this.#unwritten = EMPTY;
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** Encodes lines when all bytes before them are written: the buffer of those is used again. */
  #encode(lines: string): Buffer {
    if (lines.length * MAX_BYTES_PER_UNIT > ENCODING_BYTES) return Buffer.from(lines);
    this.#encoding ??= Buffer.allocUnsafeSlow(ENCODING_BYTES);
    return this.#encoding.subarray(0, this.#encoding.write(lines));
  }

  #scheduleRetry(error: unknown): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.flush();
    }, this.#retryDelay).unref();
    this.#retryDelay = Math.min(this.#retryDelay * 2, LAST_RETRY_MS);
    // A slow reader is not reported as an error.
    if (this.#hasFailed || isBusy(error)) return;
    this.#hasFailed = true;
    this.#events.failed(error);
  }

  #recover(): void {
    if (!this.#hasFailed && this.#lost === 0) return;
    const [lost, isClosing] = [this.#lost, this.#isClosing];
    // Reset first: the callback may write a line here, even while closing.
    [this.#hasFailed, this.#lost, this.#isClosing] = [false, 0, false];
    this.#events.recovered(lost);
    this.#isClosing = isClosing;
  }

  /** Blocks for a limited time: the event loop no longer runs. */
  #flushAtExit(): void {
    if (this.#isClosed) return;
    // For lines of other listeners: nothing that is scheduled runs.
    this.#isImmediate = true;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const end = performance.now() + EXIT_TIMEOUT_MS;
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (;;) {
      const failure = this.#writeBuffered();
      if (failure === undefined) {
        this.#recover();
        if (!this.#hasUnwritten) return;
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
  return ['EAGAIN', 'EBUSY'].includes(systemErrorCode(error));
}
