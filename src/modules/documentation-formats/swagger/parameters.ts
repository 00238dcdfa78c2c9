import { isSchema, listOf } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import { swaggerSchema, VALIDATION_KEYWORDS } from './schema';

/** Keywords of a schema that a parameter outside the body may have (Swagger 2.0, Parameter Object). */
const KEYWORDS = [...VALIDATION_KEYWORDS, 'exclusiveMinimum', 'exclusiveMaximum'];

/** Converts a parameter of path or query, whose schema keywords become its own. */
export function swaggerParameter(parameter: JsonSchema): JsonSchema {
  const { name, in: place, description, required, schema, deprecated } = parameter;
  return {
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    ...(required === true ? { required } : {}),
    ...(deprecated === true ? { 'x-deprecated': true } : {}),
    ...parameterSchema(schema, place === 'path' ? 'csv' : 'multi'),
  };
}

/** Converts a response header. */
export function swaggerHeader(header: unknown): JsonSchema {
  if (!isSchema(header)) return { type: 'string' };
  const { description, schema } = header;
  return { ...(description === undefined ? {} : { description }), ...parameterSchema(schema) };
}

/**
 * Parameters of a type that Swagger 2.0 does not support outside the body become strings.
 * @param collectionFormat of lists: repeated parameters, or separated by commas
 */
function parameterSchema(schema: unknown, collectionFormat: 'csv' | 'multi' = 'csv'): JsonSchema {
  const converted = swaggerSchema(schema);
  const supported = Object.fromEntries(
    Object.entries(converted).filter(([keyword]) => KEYWORDS.includes(keyword)),
  );
  const { type } = supported;
  if (type === 'array') return { ...supported, items: parameterSchema(converted.items), collectionFormat };
  const scalars = ['string', 'number', 'integer', 'boolean'];
  return typeof type === 'string' && scalars.includes(type) ? supported : asText(supported);
}

/** The values of a text are texts too: a number is sent as its digits. No text is null. */
function asText({ enum: values, default: preset, ...others }: JsonSchema): JsonSchema {
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const texts = listOf(values)
    .filter((value) => value !== null)
    .map(textOf);
  return {
    ...others,
    type: 'string',
    ...(texts.length > 0 ? { enum: [...new Set(texts)] } : {}),
    ...(preset === undefined || preset === null ? {} : { default: textOf(preset) }),
  };
}
