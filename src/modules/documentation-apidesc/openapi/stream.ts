import type { JsonSchema } from '../../documentation';

/** How items are written one after another. */
interface Written {
  readonly description: string;
  readonly write: (item: string) => string;
}

const STREAMS: Readonly<Record<string, Written>> = {
  'application/x-ndjson': {
    description: 'Items one after another, each a line of JSON.',
    write: (item) => `${item}\n`,
  },
  'text/event-stream': {
    description: 'Events as they happen; the data of each is an item, as JSON.',
    write: (item) => `data: ${item}\n\n`,
  },
};

/**
 * The Media Type Object of items that go out one after another. The whole is text, and OpenAPI 3.1 has no word for
 * what one item is (3.2 has `itemSchema`): it is what the text holds (JSON Schema 2020-12, validation 8.5).
 * @param item the schema of one item
 * @returns undefined for media types of a whole
 */
export function streamOf(type: string, item: JsonSchema | undefined, example: unknown): unknown {
  const written = Object.hasOwn(STREAMS, type) ? STREAMS[type] : undefined;
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
