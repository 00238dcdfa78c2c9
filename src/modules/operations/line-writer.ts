import { closeSync, openSync, writeSync } from 'node:fs';

const STANDARD_OUTPUT = 1;

/** Characters that are written at once, whatever else happens in the same turn. */
const MUCH = 65_536;

/** Characters that wait at most while nothing can be written; lines that come after them are left out. */
const MOST = 4_194_304;

/** Milliseconds until it is tried again where nothing could be written. */
const PAUSE = 250;

const NOTHING = Buffer.alloc(0);

/** Where octets go, in order. */
export interface Sink {
  /** @returns how many octets from `at` on were taken; throws when none can be */
  write(bytes: Uint8Array, at: number): number;
  close(): void;
}

/**
 * The end of a file.
 * @param file absolute; standard output when undefined, which stays open
 * @throws Error of the file system
 */
export function endOf(file: string | undefined): Sink {
  const descriptor = file === undefined ? STANDARD_OUTPUT : openSync(file, 'a');
  return {
    write: (bytes, at) => writeSync(descriptor, bytes, at),
    close: () => {
      if (descriptor !== STANDARD_OUTPUT) closeSync(descriptor);
    },
  };
}

/** Who is told when lines cannot be written, once, and when they can be again. */
export interface LineWriterEvents {
  troubled(error: unknown): void;
  /** @param lost lines that were left out meanwhile */
  recovered(lost: number): void;
}

/**
 * Appends lines to what they go to. Those of one turn of the event loop are written together at its end, with one call
 * of the system instead of one each: a process that is killed loses no line of an earlier turn, and one that exits
 * none.
 *
 * Where nothing can be written (a full disk, a pipe that nobody reads from), lines wait and are tried again; when too
 * many wait, further ones are left out and counted.
 */
export class LineWriter {
  readonly #sink: Sink;
  readonly #events: LineWriterEvents;
  readonly #flush = (): void => this.flush();
  #waiting = '';
  /** What could not be written, from the first octet that is missing in the file. */
  #unwritten: Buffer = NOTHING;
  #isScheduled = false;
  #retry: NodeJS.Timeout | undefined;
  #isTroubled = false;
  #isClosed = false;
  #lost = 0;

  constructor(sink: Sink, events: LineWriterEvents) {
    this.#sink = sink;
    this.#events = events;
    process.on('exit', this.#flush);
  }

  /** @param line with its end */
  write(line: string): void {
    if (this.#isClosed) return;
    if (this.#waiting.length + this.#unwritten.length >= MOST) {
      this.#lost++;
      return;
    }
    this.#waiting += line;
    if (this.#retry !== undefined) return;
    if (this.#waiting.length >= MUCH) {
      this.flush();
    } else if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(this.#flush);
    }
  }

  /** Writes what waits. */
  flush(): void {
    this.#isScheduled = false;
    if (this.#isClosed) return;
    const fresh = Buffer.from(this.#waiting);
    const bytes = this.#unwritten.length === 0 ? fresh : Buffer.concat([this.#unwritten, fresh]);
    this.#waiting = '';
    let at = 0;
    try {
      while (at < bytes.length) at += this.#sink.write(bytes, at);
      this.#unwritten = NOTHING;
      this.#recover();
    } catch (error) {
      this.#unwritten = bytes.subarray(at);
      this.#tryLater(error);
    }
  }

  /** Writes what waits, as far as it can be written, and closes the sink. */
  close(): void {
    if (this.#isClosed) return;
    process.off('exit', this.#flush);
    this.flush();
    clearTimeout(this.#retry);
    this.#isClosed = true;
    this.#sink.close();
  }

  #tryLater(error: unknown): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.flush();
    }, PAUSE).unref();
    // A reader that is slow for a moment is no trouble.
    if (this.#isTroubled || isBusy(error)) return;
    this.#isTroubled = true;
    this.#events.troubled(error);
  }

  #recover(): void {
    if (!this.#isTroubled && this.#lost === 0) return;
    this.#events.recovered(this.#lost);
    this.#isTroubled = false;
    this.#lost = 0;
  }
}

function isBusy(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'EAGAIN' || code === 'EBUSY';
}
