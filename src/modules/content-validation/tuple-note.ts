import { allSubschemas, isSchema, whatIs } from '../../framework';

/**
 * What to say of a schema that is none because of a list of items of several types, as drafts before 2020-12 write it,
 * and TypeBox's `Type.Tuple` does.
 * @returns undefined where there is no such list
 */
export function tupleNote(schema: object): string | undefined {
  const tuple = isSchema(schema)
    ? allSubschemas(schema).find(({ items }) => Array.isArray(items))
    : undefined;
  if (tuple === undefined) return undefined;
  return (
    `it has ${whatIs(tuple.items)} as its "items", as Type.Tuple makes it and JSON Schema wrote it before 2020-12. ` +
    "Write Type.Unsafe<[A, B]>({ type: 'array', prefixItems: [a, b], items: false, minItems: 2 }) instead"
  );
}
