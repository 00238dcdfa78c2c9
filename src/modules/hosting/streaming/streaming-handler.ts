import {
  Response,
  ConfigurationError,
  describeValue,
  onStopping,
  ViewModel,
  type Endpoint,
  type MvcEvent,
} from '../../../framework';
import type { ServiceDefinition } from '../definition/definition';
import type { OperationDefinition } from '../definition/operation-definition';
import type { ServicePart } from '../definition/service-part';
import { toItems, ItemStream } from './item-stream';
import { itemWriter } from './item-writer';
import {
  COMMENT,
  CSV,
  EVENTS,
  isEvents,
  collectionStreamTypes,
  streamTypes,
  type StreamType,
} from './stream-types';
import { thenUnlessTimedOut, signalOf } from '../timeout';

/** Default interval between heartbeats of an idle event stream, in seconds. */
export const DEFAULT_HEARTBEAT = 15;

/** The operation whose stream types are checked. */
interface StreamingOperation {
  readonly part: ServicePart;
  readonly method: string;
  readonly name: string;
  readonly service: ServiceDefinition;
  /** How it is streamed in addition to its pages; undefined if its resource has no `streamAll` or `streamQuery`. */
  readonly aside: object | undefined;
}

/**
 * Returns the stream types of an operation.
 * @returns undefined if it does not stream
 * @throws ConfigurationError for an operation that cannot stream, or an unknown type
 */
export function streamTypesOf(
  { stream, heartbeat }: OperationDefinition,
  { part, method, name, service, aside }: StreamingOperation,
): readonly StreamType[] | undefined {
  if (heartbeat !== undefined && stream?.includes(EVENTS) !== true) {
    throw new ConfigurationError(`${name} has a heartbeat but no stream of ${EVENTS}. Remove "heartbeat".`);
  }
  if (stream === undefined) return undefined;
  const available: readonly StreamType[] = aside === undefined ? streamTypes : collectionStreamTypes;
  const other = stream.find((type) => !available.includes(type));
  if (stream.length === 0 || other !== undefined) {
    throw new ConfigurationError(
      `${name}: stream has ${other === undefined ? 'no type' : `"${other}"`}. Available: ${available.join(', ')}.`,
    );
  }
  const isQuery = part === 'collection' && method === 'QUERY';
  if (isQuery && aside === undefined) {
    throw new ConfigurationError(
      `${name} has a stream, which needs a page_size of the service and a method streamQuery() of its resource. Remove "stream".`,
    );
  }
  if (part === 'entity' || (part === 'collection' && method !== 'GET' && !isQuery)) {
    throw new ConfigurationError(
      `${name} has a stream. Only procedures and the GET and QUERY of a collection may stream. Remove "stream".`,
    );
  }
  if (part === 'collection' && 'page_size' in service && aside === undefined) {
    throw new ConfigurationError(
      `${name} has a stream, and its service a page_size. A collection is either streamed or paged. Remove one of them.`,
    );
  }
  return stream;
}

/** How items are streamed. */
interface StreamOptions {
  /** Operation name, for messages and the log. */
  readonly name: string;
  readonly types: readonly StreamType[];
  /** Seconds between heartbeats of an idle event stream; 0 for none. */
  readonly heartbeat: number;
  /** Filters and checks an item. */
  readonly finish: (content: unknown) => unknown;
}

/**
 * Wraps a handler whose result is streamed. It may return a response, or an iterable, which is not read for HEAD.
 * Errors before the first wait become error responses; later ones cut the connection.
 */
export function streamingHandler(
  handler: Endpoint['handler'],
  { name, types, heartbeat, finish }: StreamOptions,
): Endpoint['handler'] {
  const beat = heartbeat === 0 ? undefined : { seconds: heartbeat, text: COMMENT };
  return (event) =>
    thenUnlessTimedOut(event, callAsync(event, handler), (result) => {
      if (result instanceof Response || result instanceof ViewModel) return result;
      const items = toItems(result);
      if (items === undefined) {
        throw new TypeError(
          `${name} has a stream but returned neither an iterable nor a stream: ${describeValue(result)}.`,
        );
      }
      const type = event.responseFormat?.mediaType ?? types[0] ?? streamTypes[0];
      const { outgoing, response } = event;
      setStreamHeaders(event, type, types);
      // Watch for a disconnect even if the handler does not use the signal.
      signalOf(event);
      const body = new ItemStream(items, {
        ...itemWriter(result, type, finish),
        // Clients see the headers before the first item.
        begin: () => outgoing.flushHeaders(),
        heartbeat: isEvents(type) ? beat : undefined,
        failed: (err) =>
          event.log.error(
            { module: 'hosting', err, operation: name },
            'A stream failed to close its source.',
          ),
      });
      // Clients of event streams connect again; other streams would seem complete.
      if (isEvents(type)) {
        onStopping(outgoing, () => {
          body.end();
          event.abortController?.abort();
        });
      }
      response.body = body;
      return event.request.method === 'HEAD' ? response : body.prepare().then(() => response);
    });
}

/**
 * Calls the handler asynchronously: a Node stream that fails at once emits its error after the settled promises
 * ran, when a listener is attached.
 */
async function callAsync(event: MvcEvent, handler: Endpoint['handler']): Promise<unknown> {
  await Promise.resolve();
  return handler(event);
}

function setStreamHeaders({ response: { fields } }: MvcEvent, type: string, types: readonly string[]): void {
  // Clients that know no default would guess the encoding.
  fields.set('Content-Type', type === CSV ? `${CSV}; charset=utf-8` : type);
  if (types.length > 1) fields.addToList('Vary', 'Accept');
  // Events must not be cached (WHATWG HTML, 9.2.8).
  if (isEvents(type) && !fields.has('Cache-Control')) fields.set('Cache-Control', 'no-store');
}
