import type { JsonSchema } from '../documentation';

// Keywords of OpenAPI 3.0 as JSON Schema 2020-12 has them.

/** The keyword of OpenAPI 3.0 is a boolean beside the limit, that of JSON Schema the limit itself. */
export function limit(inclusive: string, exclusive: string, value: unknown, schema: JsonSchema): JsonSchema {
  if (typeof value === 'number') return { [exclusive]: value };
  return value === true ? { [exclusive]: schema[inclusive], [inclusive]: undefined } : {};
}

/** `nullable` of OpenAPI 3.0. */
export function withNull(nullable: boolean, schema: JsonSchema): JsonSchema {
  const defined = Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
  if (!nullable) return defined;
  const { type, enum: values, ...rest } = defined;
  if (typeof type !== 'string') return { anyOf: [defined, { type: 'null' }] };
  const choices = Array.isArray(values) && !values.includes(null) ? [...(values as unknown[]), null] : values;
  return { type: [type, 'null'], ...(choices === undefined ? {} : { enum: choices }), ...rest };
}
