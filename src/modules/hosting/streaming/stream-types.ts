import { toPlain } from '../../content-negotiation';
import { ServerSentEvent } from './server-sent-event';

const LINES = 'application/x-ndjson';
export const EVENTS = 'text/event-stream';
export const CSV = 'text/csv';

/** A comment line, which event readers ignore (WHATWG HTML, 9.2.6). NDJSON has none. */
export const COMMENT = ':\n';

/** Media types of streams: a line of JSON per item, or server-sent events. */
export const streamTypes = [LINES, EVENTS] as const;

/** Those of a collection that is paged as well: `streamAll` names the columns of a table of comma-separated values. */
export const collectionStreamTypes = [...streamTypes, CSV] as const;

/** A media type of streams: `application/x-ndjson`, `text/event-stream` or `text/csv`. */
export type StreamType = (typeof collectionStreamTypes)[number];

export function isEvents(mediaType: string): boolean {
  return mediaType === EVENTS;
}

/** Serializes an item. Bytes are left unchanged. @throws TypeError for a value that JSON cannot represent */
export function serializeItem(item: unknown, mediaType: string): string | Uint8Array {
  if (item instanceof Uint8Array) return item;
  return isEvents(mediaType) ? eventText(item) : `${json(contentOf(item))}\n`;
}

/** Returns the data of an item. */
function contentOf(item: unknown): unknown {
  return item instanceof ServerSentEvent ? item.data : item;
}

/** Replaces the data of an item. */
export function mapItem(item: unknown, make: (content: unknown) => unknown): unknown {
  return item instanceof ServerSentEvent ? item.with(make(item.data)) : make(item);
}

/** JSON text contains no line breaks, so the data is one line. */
function eventText(item: unknown): string {
  const { event, id, retry } = item instanceof ServerSentEvent ? item.options : {};
  return [
    event === undefined ? '' : `event: ${event}\n`,
    id === undefined ? '' : `id: ${id}\n`,
    retry === undefined ? '' : `retry: ${retry}\n`,
    `data: ${json(contentOf(item))}\n\n`,
  ].join('');
}

function json(content: unknown): string {
  const text: unknown = JSON.stringify(toPlain(content));
  // `JSON.stringify` returns undefined for undefined and functions.
  return typeof text === 'string' ? text : 'null';
}
