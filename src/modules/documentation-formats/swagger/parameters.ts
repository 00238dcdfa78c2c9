import { isSchema } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import { swaggerSchema } from './schema';

/** Keywords of a schema that a parameter outside the body may have (Swagger 2.0, Parameter Object). */
const KEYWORDS: readonly string[] = [
  'type',
  'format',
  'default',
  'enum',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
];

/** A parameter of path or query, whose schema is spread over it. */
export function swaggerParameter(parameter: JsonSchema): JsonSchema {
  const { name, in: place, description, required, schema, deprecated } = parameter;
  return {
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    ...(required === true ? { required } : {}),
    ...(deprecated === true ? { 'x-deprecated': true } : {}),
    ...simple(schema),
  };
}

/** A header field of an answer. */
export function swaggerHeader(header: unknown): JsonSchema {
  if (!isSchema(header)) return { type: 'string' };
  const { description, schema } = header;
  return { ...(description === undefined ? {} : { description }), ...simple(schema) };
}

/** What is neither in the body nor of a type that Swagger 2.0 knows for such places is text. */
function simple(schema: unknown): JsonSchema {
  const converted = swaggerSchema(schema);
  const kept = Object.fromEntries(
    Object.entries(converted).filter(([keyword]) => KEYWORDS.includes(keyword)),
  );
  const { type } = kept;
  if (type === 'array') {
    // A list in a query is the parameter again and again.
    return { ...kept, items: simple(converted.items), collectionFormat: 'multi' };
  }
  const known = ['string', 'number', 'integer', 'boolean'];
  return typeof type === 'string' && known.includes(type) ? kept : { ...kept, type: 'string' };
}
