import { dereference } from '../../framework';
import type { HypermediaShape } from '../content-negotiation';

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/** Where something is (draft-kelly-json-hal-11, 5). */
const LINK = {
  type: 'object',
  required: ['href'],
  properties: { href: { type: 'string', format: 'uri-reference', description: 'Where it is.' } },
} as const;

const TOTAL = { type: 'integer', description: 'Entities there are.' } as const;

/** The schema of what `toHal` makes of content that has this schema. */
export function halSchema(schema: Schema, shape: HypermediaShape): Schema {
  return shape.kind === 'collection' ? collection(schema, shape.name) : entity(schema, schema);
}

/** What is no object has no links. @param root has the definitions that the schema may refer to */
function entity(declared: Schema, root: Schema): Schema {
  const schema = dereference(root, declared);
  if (!isSchema(schema.properties)) return declared;
  const embedded = { type: 'object', description: 'Related things, by relation.' };
  return {
    ...schema,
    properties: { _links: linksOf(['self']), ...schema.properties, _embedded: embedded },
  };
}

function collection(schema: Schema, name: string): Schema {
  // What `#/$defs/…` means stands at the root.
  const { $defs: definitions, ...whole } = schema;
  const page = isSchema(schema.properties) ? schema.properties : { [name]: whole, total_items: TOTAL };
  const { [name]: list, ...numbers } = page;
  if (!isSchema(list) || !isSchema(list.items)) return entity(schema, schema);
  const isPaged = isSchema(schema.properties);
  return {
    type: 'object',
    required: ['_links', '_embedded'],
    properties: {
      _links: linksOf(isPaged ? ['self', 'first', 'prev', 'next', 'last'] : ['self']),
      _embedded: {
        type: 'object',
        required: [name],
        properties: { [name]: { ...list, items: entity(list.items, schema) } },
      },
      ...numbers,
    },
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
}

function linksOf(relations: readonly string[]): Schema {
  return {
    type: 'object',
    description: 'Where related things are, by relation.',
    properties: Object.fromEntries(relations.map((relation) => [relation, LINK])),
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
