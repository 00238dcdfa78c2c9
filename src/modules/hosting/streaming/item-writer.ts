import { csvHeader, csvLine } from './csv';
import { CSV, mapItem, serializeItem } from './stream-types';
import { StreamedCollection } from './streamed-collection';

/** Writes what a stream yields, in one media type. */
export interface ItemWriter {
  /** Precedes the first item. */
  readonly head: string | undefined;
  /** @throws TypeError for a value that the type cannot represent */
  readonly write: (yielded: unknown) => string | Uint8Array;
}

/**
 * Returns the writer of a stream.
 * @param finish filters and checks an item
 */
export function itemWriter(
  source: unknown,
  mediaType: string,
  finish: (content: unknown) => unknown,
): ItemWriter {
  if (source instanceof StreamedCollection) return batchWriter(source, mediaType, finish);
  return {
    head: undefined,
    write: (item) => serializeItem(item instanceof Uint8Array ? item : mapItem(item, finish), mediaType),
  };
}

function batchWriter(
  { members }: StreamedCollection,
  mediaType: string,
  finish: (content: unknown) => unknown,
): ItemWriter {
  const isCsv = mediaType === CSV;
  const line = isCsv
    ? (item: unknown): string => csvLine(finish(item), members)
    : (item: unknown): string => String(serializeItem(finish(item), mediaType));
  return {
    head: isCsv ? csvHeader(members) : undefined,
    // The iterable yields batches only.
    write: (batch) => {
      let text = '';
      for (const item of batch as readonly unknown[]) text += line(item);
      return text;
    },
  };
}
