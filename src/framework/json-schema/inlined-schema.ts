import { merged } from './merged-schema';
import { mapSubschemas, type SchemaNode } from './subschemas';

/** References that are inlined into one schema in total: nested references multiply. */
export const MAX_INLINED = 1_000;

/**
 * Replaces the references of a schema by their targets, for a schema that is used outside of its document, such as that
 * of a parameter.
 * @param targetOf returns the target of a reference; one without a target remains
 * @param instead returns what replaces a reference to an enclosing schema, or one too many; may throw
 */
export function inlinedSchema(
  schema: SchemaNode,
  targetOf: (reference: string) => SchemaNode | undefined,
  instead: (reference: string, isRecursive: boolean) => SchemaNode,
): SchemaNode {
  let remaining = MAX_INLINED;
  const inline = (one: SchemaNode, enclosing: readonly string[]): SchemaNode => {
    const { $ref: reference, ...siblings } = one;
    const inner = { ...siblings, ...mapSubschemas(siblings, (part) => inline(part, enclosing)) };
    if (typeof reference !== 'string') return inner;
    const target = targetOf(reference);
    if (target === undefined) return { ...inner, $ref: reference };
    const isRecursive = enclosing.includes(reference);
    remaining -= 1;
    if (isRecursive || remaining < 0) return merged(instead(reference, isRecursive), inner);
    return merged(inline(target, [...enclosing, reference]), inner);
  };
  return inline(schema, []);
}
