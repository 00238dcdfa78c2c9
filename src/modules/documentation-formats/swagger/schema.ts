import { isSchema, listOf, objectOf } from '../../../framework';
import { ANY_NAME, type JsonSchema } from '../../documentation';

/** Validation keywords with the same meaning in schemas and parameters of Swagger 2.0. */
export const VALIDATION_KEYWORDS: readonly string[] = [
  'type',
  'format',
  'default',
  'enum',
  'multipleOf',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
];

/** Keywords with the same meaning in Swagger 2.0 (Schema Object, based on JSON Schema draft 4). */
const SHARED: ReadonlySet<string> = new Set([
  ...VALIDATION_KEYWORDS,
  'title',
  'description',
  'minProperties',
  'maxProperties',
  'required',
  'readOnly',
]);

const REFERENCE = /^#\/components\/schemas\//;

/**
 * Converts a JSON Schema (2020-12) to Swagger 2.0. Unsupported keywords, such as alternatives, are left
 * out: the result allows more, never less.
 *
 * @example
 * swaggerSchema({ type: ['string', 'null'], const: 'a' }); // { type: 'string', 'x-nullable': true, enum: ['a'] }
 */
export function swaggerSchema(schema: unknown): JsonSchema {
  if (!isSchema(schema)) return {};
  const { $ref: reference } = schema;
  // Siblings of a reference are ignored in Swagger 2.0.
  if (typeof reference === 'string') return { $ref: reference.replace(REFERENCE, '#/definitions/') };
  const inner = onlyBranch(schema);
  if (inner !== undefined) return withoutBranches(schema, inner);
  const shared = Object.entries(schema).filter(([keyword]) => SHARED.has(keyword));
  return {
    ...Object.fromEntries(shared),
    ...listsOf(schema),
    ...typeOf(schema),
    ...limitsOf(schema),
    ...insideOf(schema),
    ...exampleOf(schema),
  };
}

/** Returns the only alternative of `anyOf` or `oneOf` other than null. */
function onlyBranch(schema: JsonSchema): unknown {
  const branches: unknown = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(branches)) return undefined;
  const real = branches.filter((branch: unknown) => !isSchema(branch) || branch.type !== 'null');
  return real.length === 1 ? real[0] : undefined;
}

function withoutBranches(schema: JsonSchema, inner: unknown): JsonSchema {
  const { anyOf, oneOf, ...siblings } = schema;
  const alone = swaggerSchema(inner);
  const nullable = [anyOf, oneOf].some((branches) => Array.isArray(branches) && branches.length > 1);
  const own = swaggerSchema(siblings);
  const whole = '$ref' in alone ? { ...own, allOf: [...listOf(own.allOf), alone] } : { ...own, ...alone };
  return { ...whole, ...(nullable ? { 'x-nullable': true } : {}) };
}

/** Swagger 2.0 has a single type; null is an extension. */
function typeOf({ type, const: constant, enum: values }: JsonSchema): JsonSchema {
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const real = types.filter((one) => one !== 'null');
  const nullable = real.length < types.length;
  return {
    ...(real.length === 1 ? { type: real[0] } : { type: undefined }),
    ...(nullable ? { 'x-nullable': true } : {}),
    ...(constant === undefined || values !== undefined ? {} : { enum: [constant] }),
  };
}

/** Lists of names and of values are distinct in Swagger 2.0, and the names not empty (draft 4, 5.4.3 and 5.5.1). */
function listsOf({ required, enum: values }: JsonSchema): JsonSchema {
  return {
    ...(listOf(required).length === 0 ? { required: undefined } : {}),
    ...(Array.isArray(values) ? { enum: [...new Set<unknown>(values)] } : {}),
  };
}

/** Exclusive limits are flags in Swagger 2.0. */
function limitsOf({ exclusiveMinimum, exclusiveMaximum }: JsonSchema): JsonSchema {
  return {
    ...(typeof exclusiveMinimum === 'number' ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : {}),
  };
}

function insideOf(schema: JsonSchema): JsonSchema {
  const { properties, items, prefixItems, type, allOf } = schema;
  const values = valuesOf(schema);
  const members = isSchema(properties)
    ? Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, swaggerSchema(inner)]))
    : undefined;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return {
    ...(members === undefined ? {} : { properties: members }),
    // Arrays must declare items, which are those of all places.
    ...(items !== undefined || isArray
      ? { items: swaggerSchema(prefixItems === undefined ? items : undefined) }
      : {}),
    ...(Array.isArray(allOf) ? { allOf: allOf.map(swaggerSchema) } : {}),
    ...(typeof values === 'boolean'
      ? { additionalProperties: values }
      : isSchema(values)
        ? { additionalProperties: swaggerSchema(values) }
        : {}),
  };
}

/** The schema of members that are not declared. Swagger 2.0 has no patterns of names: that of a pattern applies to all. */
function valuesOf({ patternProperties, additionalProperties }: JsonSchema): unknown {
  const [first, ...others] = Object.entries(objectOf(patternProperties));
  if (first === undefined) return additionalProperties;
  const [pattern, values] = first;
  const areAll = others.length === 0 && (additionalProperties === false || ANY_NAME.test(pattern));
  return areAll ? values : undefined;
}

function exampleOf({ examples }: JsonSchema): JsonSchema {
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return example === undefined ? {} : { example };
}
