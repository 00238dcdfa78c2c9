import { isThenable, type Endpoint, type MvcEvent } from '../../../../framework';
import { assertSerializable, showsHypermedia } from '../../../content-negotiation';
import { limitTime } from '../../timeout';
import { frameName } from './failed-operation';
import type { ResultFinisher } from './result-finisher';

/** What is done around a handler. */
export interface HandlerSteps {
  /** Operation name, for messages, the log and stack traces. */
  readonly name: string;
  /** Seconds; 0 for no limit. */
  readonly timeout: number;
  /** Undefined for results that have no schema, or were finished before. */
  readonly finisher: ResultFinisher | undefined;
  /** For responses with other statuses. */
  readonly finishers: ReadonlyMap<number, ResultFinisher>;
  /** Whether hypermedia formats build links from the original result. */
  readonly usesOriginalResult: boolean;
}

/**
 * Wraps a handler: filters and checks its results, and limits its time. The function is named after the operation, so
 * that the stack trace of an uncaught error names it.
 *
 * One closure for all steps, with their members as its variables: with many services, a request waits for the memory of
 * every object that it reads.
 */
export function namedHandler(
  handler: Endpoint['handler'],
  { name, timeout, finisher, finishers, usesOriginalResult }: HandlerSteps,
): Endpoint['handler'] {
  const key = frameName(name);
  // A computed key names the function; defining its property would give each function a shape of its own. An object
  // without prototype has no shape.
  const named: Readonly<Record<string, Endpoint['handler'] | null>> = {
    __proto__: null,
    [key]: (event: MvcEvent) => {
      const result = handler(event);
      if (!isThenable(result)) return finish(event, result, name, finisher, finishers, usesOriginalResult);
      const finished =
        finisher === undefined
          ? result
          : Promise.resolve(result).then((resolved) =>
              finish(event, resolved, name, finisher, finishers, usesOriginalResult),
            );
      return limitTime(event, finished, timeout, name);
    },
  };
  return named[key] ?? handler;
}

function finish(
  event: MvcEvent,
  result: unknown,
  name: string,
  finisher: ResultFinisher | undefined,
  finishers: HandlerSteps['finishers'],
  usesOriginalResult: boolean,
): unknown {
  if (finisher === undefined) return result;
  const { responseFormat, response } = event;
  assertSerializable(result, name, responseFormat?.viewModel);
  const own = finishers.size === 0 ? finisher : (finishers.get(response.status) ?? finisher);
  const sent = own.finish(result, event);
  // Links are built from the entity as the resource returned it; the result with links is filtered again.
  return usesOriginalResult && responseFormat !== undefined && showsHypermedia(responseFormat.viewModel)
    ? result
    : sent;
}
