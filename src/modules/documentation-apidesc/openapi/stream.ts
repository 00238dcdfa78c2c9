import { objectOf, ownValue } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import { csvHeader, csvLine } from '../../hosting';

/** The format of a stream. */
interface StreamFormat {
  readonly description: string;
  readonly write: (item: string) => string;
}

const STREAMS: Readonly<Record<string, StreamFormat>> = {
  'application/x-ndjson': {
    description: 'A line of JSON for each item.',
    write: (item) => `${item}\n`,
  },
  'text/event-stream': {
    description: 'An event for each item, with JSON in `data`.',
    write: (item) => `data: ${item}\n\n`,
  },
  'text/csv': {
    description: 'A line with the names of the members, then a line for each item (RFC 4180).',
    write: csvOf,
  },
};

function csvOf(item: string): string {
  const value: unknown = JSON.parse(item);
  const members = Object.keys(objectOf(value));
  return csvHeader(members) + csvLine(value, members);
}

/**
 * Returns the Media Type Object of a stream. OpenAPI 3.1 describes the stream as text and has no keyword for
 * the schema of an item (3.2 has `itemSchema`): it is the `contentSchema` of the text (JSON Schema 2020-12, validation 8.5).
 * @param item the schema of one item
 * @returns undefined for media types that are not streams
 */
export function streamMediaType(type: string, item: JsonSchema | undefined, example: unknown): unknown {
  const written = ownValue(STREAMS, type);
  if (written === undefined) return undefined;
  const { description, write } = written;
  return {
    schema: {
      type: 'string',
      description,
      contentMediaType: type,
      ...(item === undefined ? {} : { contentSchema: item }),
    },
    ...(example === undefined ? {} : { example: write(JSON.stringify(example)) }),
  };
}
