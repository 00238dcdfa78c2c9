/** A schema within a schema that a description may stand in. */
export interface DescribedPart {
  /** How people name it: `capital`, `currencies[].code`. */
  readonly name: string;
  /** From the schema that was walked to this one. */
  readonly path: readonly string[];
  readonly description: string;
}

/** Deeper members are not documented either. */
const DEEPEST = 8;

/**
 * The members of a JSON Schema of an object, with those of nested objects, of arrays of objects and of maps, each
 * with its description. References are not followed: what is described there belongs to others too.
 */
export function describedParts(schema: unknown): readonly DescribedPart[] {
  return partsOf(schema, '', [], 0);
}

function partsOf(
  schema: unknown,
  name: string,
  path: readonly string[],
  depth: number,
): readonly DescribedPart[] {
  if (!isObject(schema) || depth > DEEPEST) return [];
  const { properties, items, additionalProperties } = schema;
  const members = isObject(properties) ? Object.entries(properties) : [];
  return [
    ...members.flatMap(([key, member]) => {
      if (!isObject(member)) return [];
      const here = [...path, 'properties', key];
      const called = name === '' ? key : `${name}.${key}`;
      const { description } = member;
      const own = {
        name: called,
        path: here,
        description: typeof description === 'string' ? description : '',
      };
      return [own, ...partsOf(member, called, here, depth + 1)];
    }),
    ...partsOf(items, `${name}[]`, [...path, 'items'], depth + 1),
    ...partsOf(additionalProperties, `${name}{}`, [...path, 'additionalProperties'], depth + 1),
  ];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
