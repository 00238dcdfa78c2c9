import { isSchema } from '../../framework';

const TEXTS: readonly string[] = ['title', 'description', 'examples', 'deprecated', 'default'];

/** What they say holds for null, too. */
const UNIONS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref'];

/**
 * The schema of what fits a schema, or is null; what is told of it stays where readers look for it.
 *
 * @param schema what is no object, such as `true`, stays as it is
 * @returns the same for one that says plainly that null fits, or that anything does
 */
export function orNull(schema: unknown): unknown {
  if (!isSchema(schema)) return schema;
  const keywords = Object.keys(schema).filter((keyword) => !TEXTS.includes(keyword));
  if (keywords.length === 0) return schema;
  const { type, enum: values, const: only, anyOf } = schema;
  if (
    typeof type === 'string' &&
    values === undefined &&
    only === undefined &&
    !UNIONS.some((one) => one in schema)
  )
    return type === 'null' ? schema : { ...schema, type: [type, 'null'] };
  if (keywords.length === 1 && Array.isArray(anyOf)) {
    const takesNull = anyOf.some((branch: unknown) => isSchema(branch) && branch.type === 'null');
    return takesNull ? schema : { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] };
  }
  const isText = ([keyword]: readonly [string, unknown]): boolean => TEXTS.includes(keyword);
  const entries: [string, unknown][] = Object.entries(schema);
  return {
    ...Object.fromEntries(entries.filter(isText)),
    anyOf: [Object.fromEntries(entries.filter((one) => !isText(one))), { type: 'null' }],
  };
}
