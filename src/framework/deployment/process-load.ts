import { performance, type EventLoopUtilization } from 'node:perf_hooks';

/** Milliseconds that a measurement covers at least. */
const SHORTEST = 1_000;

/** How busy this process is. */
interface Load {
  /** The busy share of its event loop, 0 to 1. */
  readonly load: number;
  /** Requests per second. */
  readonly rate: number;
}

/** Measures how busy this process was since it was last asked, but over at least a second. */
export class ProcessLoad {
  #utilization: EventLoopUtilization;
  #at: number;
  #requests = 0;
  #last: Load = { load: 0, rate: 0 };

  /** @param since when the first measurement begins: now, which is the default, or 0 for the start of the process */
  constructor(since?: 0) {
    this.#at = since ?? performance.now();
    this.#utilization =
      since === undefined ? performance.eventLoopUtilization() : { idle: 0, active: 0, utilization: 0 };
  }

  /** @param requests how many were completed until now */
  measure(requests: number): Load {
    const at = performance.now();
    const elapsed = at - this.#at;
    if (elapsed < SHORTEST) return this.#last;
    const now = performance.eventLoopUtilization();
    this.#last = {
      load: round(performance.eventLoopUtilization(now, this.#utilization).utilization),
      rate: round(Math.max(0, requests - this.#requests) / (elapsed / 1_000)),
    };
    this.#utilization = now;
    this.#at = at;
    this.#requests = requests;
    return this.#last;
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
