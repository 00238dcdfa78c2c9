import { setTimeout as delay } from 'node:timers/promises';
import type { MaybePromise } from '../../events/maybe-promise';
import type { Log } from '../../logging/log';

/** An object that is notified when the application that contains it becomes active, and when it is retired. */
export interface Startable {
  /** The application is active: requests may arrive at the same time. */
  onStart?(): MaybePromise<void>;
  /** The application has been replaced or stopped, and its last response is sent. */
  onStop?(): MaybePromise<void>;
}

/** A part of an application. */
export interface LifecyclePart {
  /** For the log, e.g. `Shop-v1/Order`. */
  readonly name: string;
  readonly target: Startable;
}

/** Seconds after which a start or stop is no longer waited for. */
const LIMIT_SECONDS = 10;

/**
 * Starts and stops the parts of applications. An object that several applications contain, because a module declares it
 * once, is started with the first of them and stopped with the last.
 */
export class Lifecycles {
  readonly #states = new Map<Startable, { users: number; last: Promise<void> }>();
  readonly #limit: number;

  /** @param limit in seconds */
  constructor(limit = LIMIT_SECONDS) {
    this.#limit = limit;
  }

  /** Never rejects: errors are logged. */
  async start(parts: readonly LifecyclePart[], log: Log): Promise<void> {
    await Promise.all(
      parts.map(async (part) => {
        const state = this.#states.get(part.target) ?? { users: 0, last: Promise.resolve() };
        this.#states.set(part.target, state);
        if (state.users++ > 0) return state.last;
        state.last = state.last.then(() => this.#call(part, 'onStart', log));
        return state.last;
      }),
    );
  }

  /** Never rejects: errors are logged. */
  async stop(parts: readonly LifecyclePart[], log: Log): Promise<void> {
    await Promise.all(
      parts.map(async (part) => {
        const state = this.#states.get(part.target);
        if (state === undefined || --state.users > 0) return;
        state.last = state.last.then(() => this.#call(part, 'onStop', log));
        await state.last;
        if (state.users === 0) this.#states.delete(part.target);
      }),
    );
  }

  async #call({ name, target }: LifecyclePart, method: 'onStart' | 'onStop', log: Log): Promise<void> {
    const timer = new AbortController();
    try {
      const limit = delay(this.#limit * 1_000, 'late', { signal: timer.signal }).catch(() => 'late');
      const result = await Promise.race([limit, Promise.resolve().then(() => target[method]?.())]);
      if (result === 'late')
        log.error({ service: name }, `${method} of a resource did not end within ${this.#limit} seconds.`);
    } catch (err) {
      log.error({ err, service: name }, `${method} of a resource failed.`);
    } finally {
      timer.abort();
    }
  }
}
