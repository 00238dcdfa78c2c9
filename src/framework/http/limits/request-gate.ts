import type { ServerResponse } from 'node:http';
import { isThenable, type MaybePromise } from '../../events/maybe-promise';
import type { ConnectionLimits } from './connection-limits';
import { EventLoopLag } from './event-loop-lag';
import type { RefusalCause } from './refusals';

/** Essential requests that are handled beyond the limit, so that administrators can respond to an overload. */
const ESSENTIAL_RESERVE = 16;

/** A request that waits for others to finish. */
interface Waiting {
  readonly outgoing: ServerResponse;
  readonly run: () => MaybePromise<void>;
  readonly timer: NodeJS.Timeout;
  readonly onClose: () => void;
}

export type GateLimits = Pick<
  ConnectionLimits,
  'maxRequestsInFlight' | 'maxQueuedRequests' | 'queueTimeout' | 'maxEventLoopLag'
>;

/**
 * Limits the requests that are handled at the same time. Further ones wait in a bounded queue, in order of arrival;
 * those that find it full, or wait for too long, are refused.
 */
export class RequestGate {
  #limits: GateLimits;
  readonly #refuse: (outgoing: ServerResponse, cause: RefusalCause) => void;
  readonly #queue = new Set<Waiting>();
  #lag: EventLoopLag | undefined;
  #inFlight = 0;

  constructor(limits: GateLimits, refuse: (outgoing: ServerResponse, cause: RefusalCause) => void) {
    this.#limits = limits;
    this.#refuse = refuse;
    this.limits = limits;
  }

  set limits(limits: GateLimits) {
    const changed = limits.maxEventLoopLag !== this.#limits.maxEventLoopLag || this.#lag === undefined;
    this.#limits = limits;
    if (changed) {
      this.#lag?.stop();
      this.#lag = limits.maxEventLoopLag > 0 ? new EventLoopLag(limits.maxEventLoopLag) : undefined;
    }
    this.#startWaiting();
  }

  /** Whether requests must `enter`: without limits, they skip the gate. */
  get isActive(): boolean {
    return this.#lag !== undefined || this.#limits.maxRequestsInFlight !== Infinity || this.#queue.size > 0;
  }

  /** Requests in the queue. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Handles a request with `run` now or later, or refuses it.
   * @param isEssential whether it is never refused for the event loop; called only when a limit is reached
   */
  enter(outgoing: ServerResponse, isEssential: () => boolean, run: () => MaybePromise<void>): void {
    if (this.#lag?.isOverloaded() === true && !isEssential()) {
      this.#refuse(outgoing, 'max_event_loop_lag');
      return;
    }
    const beyond = this.#inFlight - this.#limits.maxRequestsInFlight;
    if (beyond < 0 || (beyond < ESSENTIAL_RESERVE && isEssential())) this.#start(outgoing, run);
    else if (this.#queue.size >= this.#limits.maxQueuedRequests)
      this.#refuse(outgoing, 'max_requests_in_flight');
    else this.#enqueue(outgoing, run);
  }

  stop(): void {
    this.#lag?.stop();
  }

  #start(outgoing: ServerResponse, run: () => MaybePromise<void>): void {
    this.#inFlight++;
    // The handler of a client that has disconnected may still be working.
    let pending = 2;
    const finish = (): void => {
      if (--pending > 0) return;
      this.#inFlight--;
      this.#startWaiting();
    };
    outgoing.once('close', finish);
    const handled = run();
    if (isThenable(handled)) handled.then(finish, finish);
    else finish();
  }

  #enqueue(outgoing: ServerResponse, run: () => MaybePromise<void>): void {
    noteArrival(outgoing);
    const timer = setTimeout(() => {
      this.#remove(waiting);
      this.#refuse(outgoing, 'queue_timeout');
    }, this.#limits.queueTimeout * 1_000);
    const waiting = { outgoing, run, timer, onClose: () => this.#remove(waiting) };
    outgoing.once('close', waiting.onClose);
    this.#queue.add(waiting);
  }

  #remove(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    waiting.outgoing.removeListener('close', waiting.onClose);
    this.#queue.delete(waiting);
  }

  /** Starts requests of the queue, the oldest first. */
  #startWaiting(): void {
    for (const waiting of this.#queue) {
      if (this.#inFlight >= this.#limits.maxRequestsInFlight) return;
      this.#remove(waiting);
      this.#start(waiting.outgoing, waiting.run);
    }
  }
}

/** Undefined until a request has to wait: without limits, none is looked up. */
let arrivals: WeakMap<ServerResponse, number> | undefined;

/** Notes when a request arrived that has to wait for others. */
function noteArrival(outgoing: ServerResponse): void {
  (arrivals ??= new WeakMap()).set(outgoing, performance.now());
}

/** `performance.now()` when a request arrived that is handled now. */
export function arrivalOf(outgoing: ServerResponse): number {
  return arrivals?.get(outgoing) ?? performance.now();
}
