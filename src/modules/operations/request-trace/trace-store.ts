import type { RequestTrace, TraceSummary } from './request-trace';

interface StoredTrace {
  readonly summary: TraceSummary;
  readonly json: string;
  readonly bytes: number;
}

/** The bounds of a {@link TraceStore}. */
export interface TraceLimits {
  /** How many traces are kept. */
  readonly keep: number;
  /** The size of the kept traces, as JSON. */
  readonly maxBytes: number;
}

/** Keeps the latest traces as JSON, whose size is known: the oldest ones are dropped beyond the limits. */
export class TraceStore {
  readonly #traces: StoredTrace[] = [];
  #limits: TraceLimits;
  #bytes = 0;

  constructor(limits: TraceLimits) {
    this.#limits = limits;
  }

  /** Of all kept traces. */
  get bytes(): number {
    return this.#bytes;
  }

  setLimits(limits: TraceLimits): void {
    this.#limits = limits;
    this.#drop();
  }

  add(trace: RequestTrace): void {
    const json = JSON.stringify(trace);
    const { id, at, method, path, status, code, duration, user, operation } = trace;
    const summary = { id, at, method, path, status, code, duration, user, operation };
    const bytes = Buffer.byteLength(json);
    this.#traces.push({ summary, json, bytes });
    this.#bytes += bytes;
    this.#drop();
  }

  /** Newest first. */
  list(): readonly TraceSummary[] {
    return this.#traces.map(({ summary }) => summary).reverse();
  }

  /** Returns the latest trace with a request id, which clients may repeat. */
  find(id: string): RequestTrace | undefined {
    const found = [...this.#traces].reverse().find(({ summary }) => summary.id === id);
    // Written by `add`.
    return found === undefined ? undefined : (JSON.parse(found.json) as RequestTrace);
  }

  clear(): void {
    this.#traces.length = 0;
    this.#bytes = 0;
  }

  #drop(): void {
    const { keep, maxBytes } = this.#limits;
    while (this.#traces.length > keep || this.#bytes > maxBytes)
      this.#bytes -= this.#traces.shift()?.bytes ?? 0;
  }
}
