import { Type, type TSchema } from '@sinclair/typebox';

/** Returns the schema of a list, with the definitions that its items reference. */
export function listSchema(
  item: TSchema,
  limits: { readonly minItems?: number; readonly maxItems?: number } = {},
): TSchema {
  return Type.Array(item, { ...limits, ...definitionsOf(item) });
}

/** References `#/$defs/…` resolve at the root: the enclosing schema needs the definitions too. */
export function definitionsOf({ $defs }: TSchema): { readonly $defs?: unknown } {
  return $defs === undefined ? {} : { $defs };
}
