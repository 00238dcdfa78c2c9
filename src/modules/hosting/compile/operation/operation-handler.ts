import type { TSchema } from '@sinclair/typebox';
import { isThenable, type Endpoint, type MvcEvent } from '../../../../framework';
import { assertSerializable, showsHypermedia } from '../../../content-negotiation';
import { withCacheControl } from '../../conditional/cache-control';
import { compileOrThrow, type CompileContext } from '../compile-context';
import type { Validator } from '../../../content-validation';
import type { ResponseFilter } from '../../members/response-filter';
import type { ResponseMatcher } from '../../response-matcher/response-matcher';
import { mapByStatus } from '../../responses/map-by-status';
import type { StreamedAside } from '../../rest/stream-all';
import { streamingHandler } from '../../streaming/streaming-handler';
import type { StreamType } from '../../streaming/stream-types';
import { withTimeout } from '../../timeout';
import type { OperationResponses } from './operation-responses';

/** Filters and checks what is sent. @param event undefined for an item of a stream */
type FinishResult = (content: unknown, event?: MvcEvent) => unknown;

interface OperationOutput extends OperationResponses {
  /** Operation name, for messages and the log. */
  readonly name: string;
  readonly stream: readonly StreamType[] | undefined;
  /** The stream of an operation that responds with pages as well. */
  readonly aside: StreamedAside | undefined;
  /** Seconds between heartbeats of an event stream; 0 for none. */
  readonly heartbeat: number;
  /** Seconds; 0 for no limit. */
  readonly timeout: number;
  readonly cacheControl: string | undefined;
  /** Whether hypermedia formats build links from the original result. */
  readonly usesOriginalResult: boolean;
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
  const { name, response, byStatus, stream, aside, item, heartbeat, timeout, cacheControl, filter } = output;
  const checked = (schema: TSchema | null, filterResult: ResponseFilter | undefined): FinishResult => {
    const validator =
      schema === null || checks.isOff ? undefined : compileOrThrow(() => validators.asIs(schema), name);
    return (content, event) => {
      const matcher = filterResult?.matcher();
      if (matcher !== undefined && isFinished(content, matcher, validator)) {
        if (event !== undefined) event.sent = { value: content, matcher };
        return content;
      }
      const sent = filterResult === undefined ? content : filterResult.apply(content);
      if (validator !== undefined) checks.compare(sent, validator, name);
      return sent;
    };
  };
  const finish = checked(response, filter);
  const finishByStatus = mapByStatus(byStatus, ({ schema, filter: own }) => checked(schema, own));
  const finishFor = ({ response: { status } }: MvcEvent): FinishResult =>
    finishByStatus.get(status) ?? finish;
  const hasSchema = response !== null || byStatus.size > 0;
  const single = hasSchema
    ? finishing(handler, byStatus.size === 0 ? () => finish : finishFor, output)
    : handler;
  const streamed = (of: Endpoint['handler'], types: readonly StreamType[], finishItem: FinishResult) =>
    streamingHandler(of, { name, types, heartbeat, finish: (item) => finishItem(item) });
  const wrapped =
    stream === undefined
      ? single
      : aside === undefined
        ? streamed(handler, stream, finish)
        : byFormat(
            stream,
            single,
            streamed(aside.handler, stream, checked(item?.schema ?? null, item?.filter)),
          );
  return withCacheControl(withTimeout(wrapped, timeout, name), cacheControl, name);
}

/** Whether a value is sent as it is, and valid if there is a validator. */
function isFinished(
  value: unknown,
  { isSentAsIs, isValid }: ResponseMatcher,
  validator: Validator | undefined,
): boolean {
  if (validator !== undefined && isValid !== undefined) return isValid(value);
  return isSentAsIs(value) && (validator === undefined || 'value' in validator(value));
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

/** Wraps a handler so that its results are filtered and checked. */
function finishing(
  handler: Endpoint['handler'],
  finishFor: (event: MvcEvent) => FinishResult,
  { name, usesOriginalResult }: OperationOutput,
): Endpoint['handler'] {
  const finish = (event: MvcEvent, result: unknown): unknown => {
    const { responseFormat } = event;
    assertSerializable(result, name, responseFormat?.viewModel);
    const sent = finishFor(event)(result, event);
    // Links are built from the entity as the resource returned it; the result with links is filtered again.
    return usesOriginalResult && responseFormat !== undefined && showsHypermedia(responseFormat.viewModel)
      ? result
      : sent;
  };
  return (event) => {
    const result = handler(event);
    return isThenable(result)
      ? Promise.resolve(result).then((resolved) => finish(event, resolved))
      : finish(event, result);
  };
}
