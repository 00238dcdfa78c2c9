import { COMPOSITIONS, dereference, isSchema, listOf } from '../../framework';
import type { HypermediaShape } from '../content-negotiation';

type Schema = Readonly<Record<string, unknown>>;

/** The schema of a link object (draft-kelly-json-hal-11, 5). */
const LINK = {
  type: 'object',
  required: ['href'],
  properties: { href: { type: 'string', format: 'uri-reference', description: 'URI of the target.' } },
} as const;

const TOTAL = { type: 'integer', description: 'Number of entities.' } as const;

/** Converts the schema of a result to the schema of what `toHal` returns for it. */
export function halSchema(schema: Schema, shape: HypermediaShape): Schema {
  switch (shape.kind) {
    case 'entity':
      return entity(schema, schema);
    case 'collection':
      return collection(schema, shape.name);
    case 'either':
      return either(schema, shape.name);
  }
}

/** Converts the branches of a union of an entity and a list, or the only one. */
function either(schema: Schema, name: string): Schema {
  const { anyOf: branches, ...others } = schema;
  const isUnion = Array.isArray(branches) && branches.some(isListSchema);
  if (!isUnion) return isListSchema(schema) ? collection(schema, name) : entity(schema, schema);
  const converted = (branches as readonly Schema[]).map((branch) =>
    isListSchema(branch) ? collection(branch, name, schema) : entity(branch, schema),
  );
  return { ...others, anyOf: converted };
}

function isListSchema(schema: unknown): boolean {
  return isSchema(schema) && schema.type === 'array';
}

/**
 * Leaves the schema of a value that is not an object unchanged. @param root has the definitions that it may refer to
 */
function entity(declared: Schema, root: Schema): Schema {
  const schema = dereference(root, declared);
  if (!isSchema(schema.properties)) return composed(schema, root) ?? declared;
  const embedded = { type: 'object', description: 'Embedded resources, by relation.' };
  return {
    ...schema,
    properties: { _links: linksOf(['self']), ...schema.properties, _embedded: embedded },
  };
}

/** Converts the branches of a composed schema, each of which may allow no other members; undefined if none changes. */
function composed(schema: Schema, root: Schema): Schema | undefined {
  const convert = (branch: unknown): unknown => (isSchema(branch) ? entity(branch, root) : branch);
  const converted = COMPOSITIONS.flatMap((keyword) => {
    const branches: unknown = schema[keyword];
    return Array.isArray(branches) ? [[keyword, branches.map(convert)] as const] : [];
  });
  const isUnchanged = converted.every(([keyword, branches]) =>
    branches.every((branch, at) => branch === listOf(schema[keyword])[at]),
  );
  // A discriminator refers to the schemas without links.
  const { discriminator: _, ...others } = schema;
  return isUnchanged ? undefined : { ...others, ...Object.fromEntries(converted) };
}

/** @param root has the definitions that it may refer to */
function collection(schema: Schema, name: string, root = schema): Schema {
  // `#/$defs/…` is resolved against the root.
  const { $defs: definitions, ...whole } = schema;
  const page = isSchema(schema.properties) ? schema.properties : { [name]: whole, total_items: TOTAL };
  const { [name]: list, ...numbers } = page;
  if (!isSchema(list) || !isSchema(list.items)) return entity(schema, root);
  const isPaged = isSchema(schema.properties);
  return {
    type: 'object',
    required: ['_links', '_embedded'],
    properties: {
      _links: linksOf(isPaged ? ['self', 'first', 'prev', 'next', 'last'] : ['self']),
      _embedded: {
        type: 'object',
        required: [name],
        properties: { [name]: { ...list, items: entity(list.items, root) } },
      },
      ...numbers,
    },
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
}

function linksOf(relations: readonly string[]): Schema {
  return {
    type: 'object',
    description: 'Links, by relation.',
    properties: Object.fromEntries(relations.map((relation) => [relation, LINK])),
  };
}
