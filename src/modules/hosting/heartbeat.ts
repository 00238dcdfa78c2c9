import type { Readable } from 'node:stream';

/** What tells those who wait, and what stands between, that a stream still goes on. */
export interface Beat {
  /** Above 0. */
  readonly seconds: number;
  /** A whole line. */
  readonly text: string;
}

const LINE_END = '\n';

/**
 * Sends a line into a stream whenever nothing was sent for some time. It waits while what is there has not been
 * taken yet, and while a line has begun and not ended: bytes that come as they are may be cut anywhere.
 */
export class Heartbeat {
  readonly #stream: Readable;
  readonly #beat: Beat;
  #timer: NodeJS.Timeout | undefined;
  #isBetweenLines = true;

  constructor(stream: Readable, beat: Beat) {
    this.#stream = stream;
    this.#beat = beat;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tell(), this.#beat.seconds * 1_000);
    // What waits for nothing but this may end.
    this.#timer.unref();
  }

  /** Begins to wait anew. */
  sent(chunk: string | Uint8Array): void {
    this.#timer?.refresh();
    this.#isBetweenLines = chunk.length === 0 ? this.#isBetweenLines : endsLine(chunk);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tell(): void {
    if (this.#isBetweenLines && this.#stream.readableLength === 0) this.#stream.push(this.#beat.text);
  }
}

function endsLine(chunk: string | Uint8Array): boolean {
  return typeof chunk === 'string' ? chunk.endsWith(LINE_END) : chunk.at(-1) === LINE_END.charCodeAt(0);
}
