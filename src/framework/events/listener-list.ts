import type { Attached } from './attached';
import { stopsSoFar, type Event } from './event';
import { fuse, type Fused } from './fused-listeners';
import { isThenable } from './maybe-promise';
import { ResultCollection, type MaybeResults, type Until } from './result-collection';

/** Calls after which a list has proved to be one that stays: fusing costs as much as some hundred of them. */
const PROVED = 1_000;

/** Longer lists are beyond what the engine would optimize as one function. */
const LONGEST = 64;

/**
 * The listeners of one event, in the order in which they are called. It never changes: another one takes its place
 * when a listener comes or goes.
 */
export class ListenerList {
  readonly #name: string;
  readonly #listeners: readonly Attached[];
  #calls = 0;
  #fused: Fused | undefined;

  constructor(name: string, listeners: readonly Attached[]) {
    this.#name = name;
    this.#listeners = listeners;
  }

  get length(): number {
    return this.#listeners.length;
  }

  [Symbol.iterator](): Iterator<Attached> {
    return this.#listeners[Symbol.iterator]();
  }

  /** Calls them until one ends it; at once where none of them answers with a promise. */
  run(event: Event, until: Until): MaybeResults {
    if (this.#fused !== undefined) return this.#fused(event, until);
    if (++this.#calls === PROVED && this.#listeners.length <= LONGEST) this.#fuse();
    const listeners = this.#listeners;
    const stops = stopsSoFar();
    event.begin(this.#name);
    let at = 0;
    // Most listeners return nothing, and nobody stops: there is a collection when one does.
    for (const attached of listeners) {
      const result = attached.listener(event);
      if (result !== undefined || stopsSoFar() !== stops || until(result))
        return goOn(listeners, at, result, event, until);
      at++;
    }
    return ResultCollection.ofNothing(at);
  }

  #fuse(): void {
    const listeners = this.#listeners;
    this.#fused = fuse(
      this.#name,
      listeners.map(({ listener }) => listener),
      {
        nothing: ResultCollection.ofNothing(listeners.length),
        stopsSoFar,
        goOn: (at, result, event, until) => goOn(listeners, at, result, event, until),
      },
    );
  }
}

/**
 * Goes on where a listener returned something, or ended the trigger.
 * @param at the place of that listener; those before it returned nothing
 */
function goOn(
  listeners: readonly Attached[],
  at: number,
  result: unknown,
  event: Event,
  until: Until,
): MaybeResults {
  const results = new ResultCollection(at);
  for (let next = at, latest = result; ; latest = listeners[next]?.listener(event)) {
    next++;
    if (isThenable(latest)) return resume(latest, listeners, next, event, results, until);
    if (settle(latest, event, results, until) || next >= listeners.length) return results;
  }
}

/** Goes on where a listener answered with a promise: from here the trigger is asynchronous. */
async function resume(
  pending: PromiseLike<unknown>,
  listeners: readonly Attached[],
  next: number,
  event: Event,
  results: ResultCollection,
  until: Until,
): Promise<ResultCollection> {
  if (settle(await pending, event, results, until)) return results;
  for (const attached of listeners.slice(next)) {
    if (settle(await attached.listener(event), event, results, until)) break;
  }
  return results;
}

/** Takes a result in; true when no further listener may run. */
function settle(result: unknown, event: Event, results: ResultCollection, until: Until): boolean {
  results.add(result);
  if (!until(result) && !event.propagationIsStopped) return false;
  results.stop();
  return true;
}
