import type { TSchema } from '@sinclair/typebox';
import type { Endpoint } from '../../../../framework';
import { withCacheControl } from '../../conditional/cache-control';
import type { ResponseFilter } from '../../members/response-filter';
import { mapByStatus } from '../../responses/responses-by-status';
import type { StreamedAside } from '../../rest/stream-all';
import { streamingHandler } from '../../streaming/streaming-handler';
import type { StreamType } from '../../streaming/stream-types';
import { compileOrThrow, type CompileContext } from '../compile-context';
import { namedHandler, type HandlerSteps } from './named-handler';
import type { OperationResponses } from './operation-responses';
import { ResultFinisher } from './result-finisher';

interface OperationOutput extends Pick<HandlerSteps, 'name' | 'timeout' | 'usesOriginalResult'> {
  readonly responses: OperationResponses;
  readonly stream: readonly StreamType[] | undefined;
  /** The stream of an operation that responds with pages as well. */
  readonly aside: StreamedAside | undefined;
  /** Seconds between heartbeats of an event stream; 0 for none. */
  readonly heartbeat: number;
  readonly cacheControl: string | undefined;
}

/**
 * Wraps the handler of an operation: streams items, filters and checks results by the response schema, limits the time.
 * @throws ConfigurationError for an invalid schema or `Cache-Control` value
 */
export function handlerOf(
  handler: Endpoint['handler'],
  output: OperationOutput,
  { checks, validators }: Pick<CompileContext, 'checks' | 'validators'>,
): Endpoint['handler'] {
  const { name, responses, stream, aside, timeout, cacheControl, usesOriginalResult } = output;
  const { response, byStatus, item } = responses;
  const finisherOf = (schema: TSchema | null, filter: ResponseFilter | undefined): ResultFinisher => {
    const validator =
      schema === null || checks.isOff ? undefined : compileOrThrow(() => validators.asIs(schema), name);
    return new ResultFinisher({ name, filter, validator, checks });
  };
  const finisher = finisherOf(response, responses.filter);
  const hasSchema = response !== null || byStatus.size > 0;
  const single: HandlerSteps = {
    name,
    timeout,
    finisher: hasSchema ? finisher : undefined,
    finishers: mapByStatus(byStatus, ({ schema, filter }) => finisherOf(schema, filter)),
    usesOriginalResult,
  };
  if (stream === undefined) return withCacheControl(namedHandler(handler, single), cacheControl, name);
  const streamed = (own: Endpoint['handler'], items: ResultFinisher): Endpoint['handler'] =>
    streamingHandler(own, {
      name,
      types: stream,
      heartbeat: output.heartbeat,
      finish: (one) => items.finish(one),
    });
  const finished =
    aside === undefined
      ? streamed(handler, finisher)
      : byFormat(
          stream,
          namedHandler(handler, { ...single, timeout: 0 }),
          streamed(aside.handler, finisherOf(item?.schema ?? null, item?.filter)),
        );
  const around = { ...single, finisher: undefined };
  return withCacheControl(namedHandler(finished, around), cacheControl, name);
}

/** Returns the handler of streams for requests that accept one of their types, otherwise the one of pages. */
function byFormat(
  types: readonly string[],
  paged: Endpoint['handler'],
  streamed: Endpoint['handler'],
): Endpoint['handler'] {
  return (event) => {
    const isStreamed = types.includes(event.responseFormat?.mediaType ?? '');
    return isStreamed ? streamed(event) : paged(event);
  };
}
