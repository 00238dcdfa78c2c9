import { compileFunction } from 'node:vm';
import type { Event } from './event';
import type { MaybeResults, ResultCollection, Until } from './result-collection';

/** Calls a fixed list of listeners, as `ListenerList.run` does. */
export type Fused = (event: Event, until: Until) => MaybeResults;

/** What a fused function needs beside the listeners. */
export interface FusedParts {
  /** What to return when no listener returned anything. */
  readonly nothing: ResultCollection;
  readonly stopsSoFar: () => number;
  /** Goes on after the listener at a place, for all that is not the usual. */
  readonly goOn: (at: number, result: unknown, event: Event, until: Until) => MaybeResults;
}

/**
 * Makes one function of a list of listeners. A loop has one call for all of them, which the engine cannot look
 * into; here each has a call of its own, which it inlines.
 *
 * ```
 * event.begin(name);
 * const stops = stopsSoFar();
 * let result;
 * result = listener0(event);
 * if (result !== undefined || stopsSoFar() !== stops || until(result)) return goOn(0, result, event, until);
 * …
 * return nothing;
 * ```
 *
 * @param name of the event; stack traces show it as the name of a file
 */
export function fuse(
  name: string,
  listeners: readonly ((event: Event) => unknown)[],
  parts: FusedParts,
): Fused {
  const calls = listeners.map(
    (_, at) =>
      `result = listener${at}(event);
if (result !== undefined || stopsSoFar() !== stops || until(result)) return goOn(${at}, result, event, until);`,
  );
  const code = `'use strict';
return (event, until) => {
event.begin(name);
const stops = stopsSoFar();
let result;
${calls.join('\n')}
return nothing;
};`;
  const { nothing, stopsSoFar, goOn } = parts;
  const parameters = ['name', 'nothing', 'stopsSoFar', 'goOn', ...listeners.map((_, at) => `listener${at}`)];
  const filename = `listeners of ${JSON.stringify(name)}`;
  // What the code above takes and returns.
  const make = compileFunction(code, parameters, { filename }) as (...given: readonly unknown[]) => Fused;
  return make(name, nothing, stopsSoFar, goOn, ...listeners);
}
