import { compileFunction } from 'node:vm';
import type { Event, StopCounter } from './event';
import type { MaybeResults, ResultCollection, Until } from './result-collection';

/** Calls a fixed list of listeners, as `ListenerList.run` does. */
export type CompiledListeners = (event: Event, until: Until) => MaybeResults;

/** The other inputs of the compiled function. */
export interface CompiledListenersOptions {
  /** Returned if all listeners return undefined. */
  readonly emptyResults: ResultCollection;
  readonly stops: StopCounter;
  /** Handles everything but the common case, from the listener at a position on. */
  readonly continueAfter: (at: number, result: unknown, event: Event, until: Until) => MaybeResults;
}

/**
 * Compiles a list of listeners to one function. The engine cannot inline the single call of a loop; here each listener
 * has its own call, which it can.
 *
 * ```
 * event.begin(name, stops);
 * const stopped = stops.count;
 * let result;
 * result = listener0(event);
 * if (result !== undefined || stops.count !== stopped || until(result)) return continueAfter(0, result, event, until);
 * …
 * return emptyResults;
 * ```
 *
 * @param name of the event; stack traces show it as a file name
 */
export function compileListeners(
  name: string,
  listeners: readonly ((event: Event) => unknown)[],
  parts: CompiledListenersOptions,
): CompiledListeners {
  const calls = listeners.map(
    (_, at) =>
      `result = listener${at}(event);
if (result !== undefined || stops.count !== stopped || until(result)) return continueAfter(${at}, result, event, until);`,
  );
  const code = `'use strict';
return (event, until) => {
event.begin(name, stops);
const stopped = stops.count;
let result;
${calls.join('\n')}
return emptyResults;
};`;
  const { emptyResults, stops, continueAfter } = parts;
  const parameters = [
    'name',
    'emptyResults',
    'stops',
    'continueAfter',
    ...listeners.map((_, at) => `listener${at}`),
  ];
  const filename = `listeners of ${JSON.stringify(name)}`;
  // The parameters and the return value of the code above.
  const make = compileFunction(code, parameters, { filename }) as (
    ...args: readonly unknown[]
  ) => CompiledListeners;
  return make(name, emptyResults, stops, continueAfter, ...listeners);
}
