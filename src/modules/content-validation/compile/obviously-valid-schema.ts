import { isObject, isPattern, recently } from '../../../framework';

/**
 * Returns whether a JSON Schema (draft 2020-12) is certainly valid: it has only common keywords with valid values,
 * and references its own definitions only. All other schemas are checked with the metaschema, whose compilation takes
 * a good part of the startup time, so most applications avoid it.
 * @param verified definitions that were found valid before
 */
export function isObviouslyValidSchema(schema: unknown, verified: ReadonlySet<unknown> = NONE): boolean {
  if (!isObject(schema) || !isObject(schema.$defs)) return isObviouslyValid(schema, {});
  const { $defs: definitions, ...root } = schema;
  return [root, ...Object.values(definitions)].every(
    (part) => verified.has(part) || isObviouslyValid(part, definitions),
  );
}

const NONE: ReadonlySet<unknown> = new Set();

/** The same for a subschema. @param definitions the possible targets of references */
export function isObviouslyValid(schema: unknown, definitions: object): boolean {
  return typeof schema === 'boolean' || (isObject(schema) && hasValidKeywords(schema, definitions));
}

const RECENT = 16;

/** Members are what the schemas of a service have in common. Without references, they are valid everywhere. */
const areMembersValid = recently(RECENT, (members: unknown) => isMap(members, NO_DEFINITIONS));

const NO_DEFINITIONS: Readonly<Record<string, unknown>> = {};

function isEmpty(definitions: object): boolean {
  for (const _ in definitions) return false;
  return true;
}

function hasValidKeywords(schema: Readonly<Record<string, unknown>>, definitions: object): boolean {
  for (const keyword of Object.keys(schema)) {
    const isValid = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (isValid === undefined ? !keyword.startsWith('x-') : !isValid(schema[keyword], definitions))
      return false;
  }
  return true;
}

type Rule = (value: unknown, definitions: object) => boolean;

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const isText: Rule = (value) => typeof value === 'string';
const isFlag: Rule = (value) => typeof value === 'boolean';
const isNumber: Rule = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: Rule = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAnything: Rule = () => true;
const isListOf =
  (rule: Rule): Rule =>
  (value, definitions) =>
    Array.isArray(value) && value.every((one) => rule(one, definitions));
const isNonEmptyListOf =
  (rule: Rule): Rule =>
  (value, definitions) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => rule(one, definitions));
const isType: Rule = (value) => typeof value === 'string' && TYPES.includes(value);
const isTextList = isListOf(isText);
const isTypeList = isNonEmptyListOf(isType);
const isDistinct: Rule = (value) =>
  Array.isArray(value) &&
  // Most lists are short: no set is created for them.
  (value.length <= MAX_COMPARED
    ? value.every((one, at) => value.indexOf(one) === at)
    : new Set(value).size === value.length);

const MAX_COMPARED = 16;

const isMap: Rule = (value, definitions) => {
  if (!isObject(value)) return false;
  for (const name of Object.keys(value)) if (!isObviouslyValid(value[name], definitions)) return false;
  return true;
};

/** A reference to a definition whose name needs no escaping in a JSON Pointer or URI. */
const DEFINITION = /^#\/\$defs\/([\w.-]+)$/;

const isReference: Rule = (value, definitions) => {
  const [, name] = typeof value === 'string' ? (DEFINITION.exec(value) ?? []) : [];
  return name !== undefined && Object.hasOwn(definitions, name);
};

const KEYWORDS: Readonly<Record<string, Rule | undefined>> = {
  $ref: isReference,
  type: (value) => isType(value, {}) || (isTypeList(value, {}) && isDistinct(value, {})),
  title: isText,
  description: isText,
  // An addition to the error message for operators.
  hint: isText,
  // Whether configuration masks the value.
  secret: isFlag,
  $comment: isText,
  format: isText,
  default: isAnything,
  const: isAnything,
  // The standard allows an empty one, Ajv does not.
  enum: isNonEmptyListOf(isAnything),
  examples: isListOf(isAnything),
  // The base vocabulary of OpenAPI (OpenAPI 3.1.1, 4.8.24), unknown keywords of JSON Schema.
  discriminator: isAnything,
  example: isAnything,
  externalDocs: isAnything,
  xml: isAnything,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value, {}) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  pattern: isPattern,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isFlag,
  items: isObviouslyValid,
  prefixItems: isNonEmptyListOf(isObviouslyValid),
  contains: isObviouslyValid,
  minProperties: isCount,
  maxProperties: isCount,
  required: (value) => isTextList(value, {}) && isDistinct(value, {}),
  properties: (value, definitions) =>
    isEmpty(definitions) ? areMembersValid(value) : isMap(value, definitions),
  patternProperties: (value, definitions) =>
    isObject(value) && Object.keys(value).every(isPattern) && isMap(value, definitions),
  additionalProperties: isObviouslyValid,
  unevaluatedProperties: isObviouslyValid,
  allOf: isNonEmptyListOf(isObviouslyValid),
  anyOf: isNonEmptyListOf(isObviouslyValid),
  oneOf: isNonEmptyListOf(isObviouslyValid),
  not: isObviouslyValid,
};
