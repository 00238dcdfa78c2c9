import type { Readable } from 'node:stream';

/** Keeps clients and proxies from closing an idle stream. */
export interface HeartbeatOptions {
  /** Interval; more than 0. */
  readonly seconds: number;
  /** A complete line. */
  readonly text: string;
}

const LINE_END = '\n';

/**
 * Sends a line into an idle stream. It waits while data is unread, and within a partly written line: raw bytes may
 * be cut anywhere.
 */
export class Heartbeat {
  readonly #stream: Readable;
  readonly #options: HeartbeatOptions;
  #timer: NodeJS.Timeout | undefined;
  #isBetweenLines = true;

  constructor(stream: Readable, beat: HeartbeatOptions) {
    this.#stream = stream;
    this.#options = beat;
  }

  start(): void {
    this.#timer = setInterval(() => this.#sendBeat(), this.#options.seconds * 1_000);
    // The timer does not keep the process alive.
    this.#timer.unref();
  }

  /** Restarts the interval after a chunk was sent. */
  reset(chunk: string | Uint8Array): void {
    this.#timer?.refresh();
    this.#isBetweenLines = chunk.length === 0 ? this.#isBetweenLines : endsLine(chunk);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sendBeat(): void {
    if (this.#isBetweenLines && this.#stream.readableLength === 0) this.#stream.push(this.#options.text);
  }
}

function endsLine(chunk: string | Uint8Array): boolean {
  return typeof chunk === 'string' ? chunk.endsWith(LINE_END) : chunk.at(-1) === LINE_END.charCodeAt(0);
}
