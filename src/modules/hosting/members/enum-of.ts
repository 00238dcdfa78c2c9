import { Type, type SchemaOptions, type TUnsafe } from '@sinclair/typebox';

/**
 * Schema of one of several values: `enum` in OpenAPI, a choice in forms, and one error that lists the values.
 *
 * @throws TypeError for no value, one that occurs twice, or a default that is not one of them
 *
 * @example
 * Type.Object({ priority: enumOf(['low', 'normal', 'high'], { default: 'normal' }) })
 */
export function enumOf<const Values extends readonly (string | number)[]>(
  values: Values,
  options: SchemaOptions & { readonly default?: NoInfer<Values[number]> } = {},
): TUnsafe<Values[number]> {
  const repeated = values.find((value, at) => values.indexOf(value) !== at);
  if (values.length === 0 || repeated !== undefined)
    throw new TypeError(
      repeated === undefined
        ? 'An enumeration needs at least one value.'
        : `An enumeration has the value ${JSON.stringify(repeated)} twice.`,
    );
  const assumed: unknown = options.default;
  if (assumed !== undefined && !values.some((value) => value === assumed))
    throw new TypeError(
      `The default ${JSON.stringify(assumed)} is not one of the values of the enumeration: ${values.join(', ')}.`,
    );
  return Type.Unsafe<Values[number]>({ ...typeOf(values), enum: [...values], ...options });
}

/** The type that all values have, if they have one. */
function typeOf(values: readonly (string | number)[]): { readonly type?: string } {
  if (values.every((value) => typeof value === 'string')) return { type: 'string' };
  if (values.every((value) => Number.isInteger(value))) return { type: 'integer' };
  return values.every((value) => typeof value === 'number') ? { type: 'number' } : {};
}
