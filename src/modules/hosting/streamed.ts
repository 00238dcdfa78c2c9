import { Response, StartError, ViewModel, type Endpoint, type MvcEvent } from '../../framework';
import type { OperationDefinition } from './operation-definition';
import type { Part } from './hosted-endpoint';
import { itemsOf, ItemStream } from './item-stream';
import {
  COMMENT,
  contentOf,
  EVENTS,
  isEvents,
  streamTypes,
  writeItem,
  type StreamType,
} from './stream-types';
import { inTimeThen, signalOf } from './timeout';

/** Seconds without an event after which clients, and what stands between, are told that a stream goes on. */
export const DEFAULT_HEARTBEAT = 15;

/** The operation that is to stream. */
interface Streaming {
  readonly part: Part;
  readonly method: string;
  readonly name: string;
  /** Whether its service has pages. */
  readonly paged: boolean;
}

/**
 * How an operation streams.
 * @returns undefined when it does not
 * @throws StartError for an operation that cannot, and for types that are none of a stream
 */
export function streamOf(
  { stream, heartbeat }: OperationDefinition,
  { part, method, name, paged }: Streaming,
): readonly StreamType[] | undefined {
  if (heartbeat !== undefined && stream?.includes(EVENTS) !== true) {
    throw new StartError(
      `${name} has a heartbeat, and no stream of ${EVENTS}, which alone has one. Take "heartbeat" away here.`,
    );
  }
  if (stream === undefined) return undefined;
  const other = stream.find((type) => !streamTypes.includes(type));
  if (stream.length === 0 || other !== undefined) {
    throw new StartError(
      `${name}: stream has ${other === undefined ? 'no type' : `"${other}"`}. Write some of: ${streamTypes.join(', ')}.`,
    );
  }
  if (part === 'entity' || (part === 'collection' && method !== 'GET')) {
    throw new StartError(
      `${name} has a stream. Procedures may have one, and the GET of a collection; take "stream" away here.`,
    );
  }
  if (part === 'collection' && paged) {
    throw new StartError(
      `${name} has a stream, and its service a page_size. A collection goes out whole, item by item, or in pages: take one of them away.`,
    );
  }
  return stream;
}

/** How the items of an operation go out. */
interface Outgoing {
  /** Of the operation, for messages and the log. */
  readonly name: string;
  readonly types: readonly StreamType[];
  /** Seconds without an item after which events are told that more may come; 0 for never. */
  readonly heartbeat: number;
  /** Is shown each item. */
  readonly look: (content: unknown) => void;
}

/**
 * A handler whose items go out while they are made. What it returns is an answer as it is, or something to go
 * through; nothing is asked of that for HEAD. What fails before it has waited for anything is answered as a problem:
 * later, there is only an answer to cut off.
 */
export function streamed(
  handler: Endpoint['handler'],
  { name, types, heartbeat, look }: Outgoing,
): Endpoint['handler'] {
  const beat = heartbeat === 0 ? undefined : { seconds: heartbeat, text: COMMENT };
  return (event) =>
    inTimeThen(event, soon(event, handler), (result) => {
      if (result instanceof Response || result instanceof ViewModel) return result;
      const items = itemsOf(result);
      if (items === undefined) {
        throw new TypeError(
          `${name} has a stream, and returned nothing to go through: no iterable, no stream.`,
        );
      }
      const type = event.representation?.mediaType ?? types[0] ?? streamTypes[0];
      const { outgoing, response } = event;
      labelled(event, type, types);
      // From now on the client's leaving is noticed, whether or not the handler has asked.
      signalOf(event);
      const body = new ItemStream(items, {
        write: (item) => {
          if (!(item instanceof Uint8Array)) look(contentOf(item));
          return writeItem(item, type);
        },
        // Clients know that it goes on, though the first item may take its time.
        begin: () => outgoing.flushHeaders(),
        heartbeat: isEvents(type) ? beat : undefined,
        failed: (err) => event.log.error({ err, operation: name }, 'A stream ended before its time.'),
      });
      response.body = body;
      return event.request.method === 'HEAD' ? response : body.prepare().then(() => response);
    });
}

/**
 * What a handler returns, called by a promise: a stream of Node that fails at once tells so when all promises that are
 * settled have been gone on with, so that somebody listens by then.
 */
async function soon(event: MvcEvent, handler: Endpoint['handler']): Promise<unknown> {
  await Promise.resolve();
  return handler(event);
}

function labelled({ response: { fields } }: MvcEvent, type: string, types: readonly string[]): void {
  fields.set('Content-Type', type);
  if (types.length > 1) fields.addToList('Vary', 'Accept');
  // What happens now is not what happens later (WHATWG HTML, 9.2.8).
  if (isEvents(type) && !fields.has('Cache-Control')) fields.set('Cache-Control', 'no-store');
}
