import type { ListenerRegistration } from './listener-registration';
import type { Event, StopCounter } from './event';
import { compileListeners, type CompiledListeners } from './compiled-listeners';
import { isThenable } from './maybe-promise';
import { ResultCollection, type MaybeResults, type Until } from './result-collection';

/** Calls after which a list is compiled: compiling costs as much as a few hundred calls. */
const COMPILE_AFTER_CALLS = 1_000;

/** The engine does not optimize longer lists as one function. */
const MAX_LENGTH = 64;

/** The listeners of one event, in calling order. Immutable: replaced when a listener is attached or detached. */
export class ListenerList {
  readonly #name: string;
  readonly #listeners: readonly ListenerRegistration[];
  readonly #stops: StopCounter;
  #callCount = 0;
  #compiled: CompiledListeners | undefined;

  constructor(name: string, listeners: readonly ListenerRegistration[], stops: StopCounter) {
    this.#name = name;
    this.#listeners = listeners;
    this.#stops = stops;
  }

  get length(): number {
    return this.#listeners.length;
  }

  [Symbol.iterator](): Iterator<ListenerRegistration> {
    return this.#listeners[Symbol.iterator]();
  }

  /** Calls the listeners until one ends the trigger; synchronous unless one returns a promise. */
  run(event: Event, until: Until): MaybeResults {
    if (this.#compiled !== undefined) return this.#compiled(event, until);
    if (++this.#callCount === COMPILE_AFTER_CALLS && this.#listeners.length <= MAX_LENGTH) this.#compile();
    const listeners = this.#listeners;
    const stops = this.#stops;
    event.begin(this.#name, stops);
    const stopped = stops.count;
    let at = 0;
    // Most listeners return undefined and stop nothing: a collection is created only if one does.
    for (const attached of listeners) {
      const result = attached.listener(event);
      if (result !== undefined || stops.count !== stopped || until(result))
        return continueAfter(listeners, at, result, event, until);
      at++;
    }
    return ResultCollection.empty(at);
  }

  #compile(): void {
    const listeners = this.#listeners;
    this.#compiled = compileListeners(
      this.#name,
      listeners.map(({ listener }) => listener),
      {
        emptyResults: ResultCollection.empty(listeners.length),
        stops: this.#stops,
        continueAfter: (at, result, event, until) => continueAfter(listeners, at, result, event, until),
      },
    );
  }
}

/**
 * Continues after a listener that returned something, or ended the trigger.
 * @param at the position of that listener; those before it returned nothing
 */
function continueAfter(
  listeners: readonly ListenerRegistration[],
  at: number,
  result: unknown,
  event: Event,
  until: Until,
): MaybeResults {
  const results = new ResultCollection(at);
  for (let next = at, latest = result; ; latest = listeners[next]?.listener(event)) {
    next++;
    if (isThenable(latest)) return continueAsync(latest, listeners, next, event, results, until);
    if (addResult(latest, event, results, until) || next >= listeners.length) return results;
  }
}

/** Continues after a listener that returned a promise: from here the trigger is asynchronous. */
async function continueAsync(
  pending: PromiseLike<unknown>,
  listeners: readonly ListenerRegistration[],
  next: number,
  event: Event,
  results: ResultCollection,
  until: Until,
): Promise<ResultCollection> {
  let result = await pending;
  for (let at = next; !addResult(result, event, results, until) && at < listeners.length; at++) {
    const latest = listeners[at]?.listener(event);
    // Awaiting any other value would delay the next listener by a microtask.
    result = isThenable(latest) ? await latest : latest;
  }
  return results;
}

/** Adds a result. @returns true when no further listener may run */
function addResult(result: unknown, event: Event, results: ResultCollection, until: Until): boolean {
  results.add(result);
  if (!until(result) && !event.propagationIsStopped) return false;
  results.stop();
  return true;
}
