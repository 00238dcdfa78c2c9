import { Type, type TObject, type TSchema } from '@sinclair/typebox';

/**
 * The schema of a merge patch (RFC 7396) of an object: no member is needed, one that is optional may be null, which
 * takes it away, and objects inside are patched in their turn. Lists are replaced, so that they are whole. What is
 * said of members together is left to the entity that is made. A patch that changes nothing is refused.
 */
export function patchOf(schema: TObject): PatchSchema {
  return { ...patched(schema), minProperties: 1 };
}

interface PatchSchema extends TSchema {
  readonly properties: Readonly<Record<string, TSchema>>;
}

function patched(schema: TObject): PatchSchema {
  const { required = [], properties, ...rest } = schema;
  for (const keyword of OF_THE_WHOLE) Reflect.deleteProperty(rest, keyword);
  const members = Object.entries(properties).map(([name, member]): [string, TSchema] => {
    const inner = isObject(member) ? patched(member) : member;
    return [name, required.includes(name) ? inner : removable(inner)];
  });
  return { ...rest, properties: Object.fromEntries(members) };
}

/** What is said of members together: a patch has some of them, so that only the merged entity can be asked. */
const OF_THE_WHOLE: readonly string[] = [
  'minProperties',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
];

function isObject(schema: TSchema): schema is TObject {
  return schema.type === 'object' && typeof schema.properties === 'object';
}

/** A schema that takes null too; what is told of the member stays where readers look for it. */
function removable(schema: TSchema): TSchema {
  const { type, enum: values, const: only } = schema;
  if (typeof type === 'string' && values === undefined && only === undefined) {
    return type === 'null' ? schema : { ...schema, type: [type, 'null'] };
  }
  const isText = ([keyword]: readonly [string, unknown]): boolean => TEXTS.includes(keyword);
  const keywords: [string, unknown][] = Object.entries(schema);
  return Type.Unsafe({
    ...Object.fromEntries(keywords.filter(isText)),
    anyOf: [Object.fromEntries(keywords.filter((one) => !isText(one))), { type: 'null' }],
  });
}

const TEXTS: readonly string[] = ['title', 'description', 'examples', 'deprecated'];
