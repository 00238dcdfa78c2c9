import { Type } from '@sinclair/typebox';
import {
  hasKeyword,
  isAnnotation,
  isObject,
  isSchema,
  listOf,
  mapSubschemas,
  objectOf,
  ownValue,
  type JsonObject,
} from '../../../framework';
import type { Validators } from '../../content-validation';
import type { JsonSchema } from '../../documentation';
import { documentedFields } from '../../hosting';
import { childPointer } from '../document/json';
import type { ImportWarnings } from '../import-warnings';

/** What the check of defaults needs. */
export interface DefaultParts {
  readonly warnings: ImportWarnings;
  readonly validators: Validators;
  /** Returns a shared schema with valid defaults. */
  readonly targetOf: (reference: string) => JsonSchema;
}

/** Assertions about a value that refer to no other schema. */
const ASSERTIONS: readonly string[] = [
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', 'uniqueItems'],
  'maxProperties',
];

/**
 * Removes the defaults that their own schema does not accept: validators fill in defaults, and would refuse each request
 * without the member.
 */
export function withValidDefaults(schema: JsonSchema, pointer: string, parts: DefaultParts): JsonSchema {
  const own = mapSubschemas(schema, (inner, ...steps) =>
    withValidDefaults(inner, steps.reduce(childPointer, pointer), parts),
  );
  const { default: preset, ...rest } = own;
  if (preset === undefined || acceptsDefault(rest, preset, parts)) return own;
  warnAboutDefault(pointer, parts.warnings);
  return rest;
}

/** Removes the default of a parameter, which is read as a text, if it is not valid. */
export function withValidText(schema: JsonSchema, pointer: string, parts: DefaultParts): JsonSchema {
  const { default: preset, ...rest } = schema;
  if (preset === undefined) return schema;
  const query = { type: 'object', properties: { text: schema } };
  if ('value' in parts.validators.forQuery(query)(new URLSearchParams())) return schema;
  warnAboutDefault(pointer, parts.warnings);
  return rest;
}

function warnAboutDefault(pointer: string, warnings: ImportWarnings): void {
  warnings.add('default that its schema does not accept', childPointer(pointer, 'default'));
}

function acceptsDefault(schema: JsonSchema, value: unknown, parts: DefaultParts): boolean {
  if (hasKeyword(schema, '$ref')) return accepts(schema, value, parts);
  // Without annotations, many schemas share a validator.
  const assertions = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword)));
  const body = documentedFields(Type.Object({ value: Type.Unsafe(assertions) }));
  // The validator fills in the defaults of members.
  return 'value' in parts.validators.forBody(body)({ value: structuredClone(value) });
}

/**
 * Whether a schema with references accepts a value, as far as its own assertions and those of the members that the value
 * has tell: shared schemas are not compiled for each default.
 * @param optional names of members that are not required
 */
function accepts(
  schema: unknown,
  value: unknown,
  parts: DefaultParts,
  optional = optionalNames(schema, parts),
): boolean {
  if (!isSchema(schema)) return schema !== false;
  const { $ref: reference, allOf, anyOf, oneOf, items, prefixItems } = schema;
  const inPlace = (one: unknown): boolean => accepts(one, value, parts, optional);
  return (
    (typeof reference !== 'string' || inPlace(parts.targetOf(reference))) &&
    listOf(allOf).every(inPlace) &&
    [anyOf, oneOf].every((union) => union === undefined || listOf(union).some(inPlace)) &&
    acceptsAlone(schema, value, parts) &&
    (!isObject(value) || acceptsMembers(schema, value, parts, optional)) &&
    (!Array.isArray(value) ||
      value.every((item: unknown, at) => accepts(listOf(prefixItems)[at] ?? items, item, parts)))
  );
}

function acceptsMembers(
  { required, properties, patternProperties, additionalProperties, minProperties = 0 }: JsonSchema,
  value: JsonObject,
  parts: DefaultParts,
  optional: readonly unknown[],
): boolean {
  const declared = objectOf(properties);
  const others = patternProperties === undefined ? additionalProperties : undefined;
  const names = new Set([...optional, ...Object.keys(value)]);
  return (
    names.size >= Number(minProperties) &&
    listOf(required).every((name) => optional.includes(name) || Object.hasOwn(value, String(name))) &&
    Object.entries(value).every(([name, member]) =>
      accepts(ownValue(declared, name) ?? others, member, parts),
    )
  );
}

function acceptsAlone(schema: JsonSchema, value: unknown, { validators }: DefaultParts): boolean {
  const assertions = Object.entries(schema).filter(([keyword]) => ASSERTIONS.includes(keyword));
  return assertions.length === 0 || 'value' in validators.asIs(Object.fromEntries(assertions))(value);
}

/** Returns the members that clients need not send: those with a default of their own, and read-only ones. */
function optionalNames(schema: unknown, parts: DefaultParts): readonly unknown[] {
  const { $ref: reference, allOf, properties } = objectOf(schema);
  const isOptional = (member: JsonObject): boolean =>
    member.default !== undefined ||
    member.readOnly === true ||
    (typeof member.$ref === 'string' && isOptional(parts.targetOf(member.$ref)));
  return [
    ...Object.entries(objectOf(properties)).flatMap(([name, member]) =>
      isOptional(objectOf(member)) ? [name] : [],
    ),
    ...(typeof reference === 'string' ? optionalNames(parts.targetOf(reference), parts) : []),
    ...listOf(allOf).flatMap((part) => optionalNames(part, parts)),
  ];
}
