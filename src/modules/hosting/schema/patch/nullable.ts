import { COMPOSITIONS, isAnnotation, isSchema } from '../../../../framework';

/** Keywords that also apply to null. */
const UNIONS: readonly string[] = [...COMPOSITIONS, 'not', 'if', '$ref'];

/**
 * Returns a schema that also allows null; annotations stay at the top level.
 *
 * @param schema boolean schemas are returned unchanged
 * @returns the same schema if it plainly allows null already
 */
export function nullable(schema: unknown): unknown {
  if (!isSchema(schema)) return schema;
  const keywords = Object.keys(schema).filter((keyword) => !isAnnotation(keyword));
  if (keywords.length === 0) return schema;
  const { type, enum: values, const: only, anyOf } = schema;
  if (
    (typeof type === 'string' || Array.isArray(type)) &&
    values === undefined &&
    only === undefined &&
    !UNIONS.some((one) => one in schema)
  )
    return [type].flat().includes('null') ? schema : { ...schema, type: [type, 'null'].flat() };
  if (Array.isArray(values) && only === undefined && !UNIONS.some((one) => one in schema)) {
    const all: readonly unknown[] = values;
    const types = type === undefined ? {} : { type: [...new Set([type, 'null'].flat())] };
    return { ...schema, ...types, enum: all.includes(null) ? all : [...all, null] };
  }
  if (keywords.length === 1 && Array.isArray(anyOf)) {
    const takesNull = anyOf.some((branch: unknown) => isSchema(branch) && branch.type === 'null');
    return takesNull ? schema : { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] };
  }
  const isText = ([keyword]: readonly [string, unknown]): boolean => isAnnotation(keyword);
  const entries: [string, unknown][] = Object.entries(schema);
  return {
    ...Object.fromEntries(entries.filter(isText)),
    anyOf: [Object.fromEntries(entries.filter((one) => !isText(one))), { type: 'null' }],
  };
}
