import { plainOf } from '../content-negotiation';
import { SentEvent } from './sent-event';

const LINES = 'application/x-ndjson';
export const EVENTS = 'text/event-stream';

/** A line that readers of events pass over (WHATWG HTML, 9.2.6). NDJSON has none. */
export const COMMENT = ':\n';

/** How items can go out one after another: a line of JSON each, or as server-sent events. */
export const streamTypes = [LINES, EVENTS] as const;

export type StreamType = (typeof streamTypes)[number];

export function isEvents(mediaType: string): boolean {
  return mediaType === EVENTS;
}

/**
 * An item as it is written. Bytes are left as they are.
 * @throws TypeError for what JSON has no form for
 */
export function writeItem(item: unknown, mediaType: string): string | Uint8Array {
  if (item instanceof Uint8Array) return item;
  return isEvents(mediaType) ? eventText(item) : `${json(contentOf(item))}\n`;
}

/** What an item tells, however it goes out. */
export function contentOf(item: unknown): unknown {
  return item instanceof SentEvent ? item.data : item;
}

/** JSON has no line ends of its own, so that the data is one line. */
function eventText(item: unknown): string {
  const { event, id, retry } = item instanceof SentEvent ? item.options : {};
  return [
    event === undefined ? '' : `event: ${event}\n`,
    id === undefined ? '' : `id: ${id}\n`,
    retry === undefined ? '' : `retry: ${retry}\n`,
    `data: ${json(contentOf(item))}\n\n`,
  ].join('');
}

function json(content: unknown): string {
  const text: unknown = JSON.stringify(plainOf(content));
  // Of undefined and of functions it makes no text at all.
  return typeof text === 'string' ? text : 'null';
}
