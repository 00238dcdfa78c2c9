/**
 * Whether a JSON Schema (draft 2020-12) is a right one beyond doubt: it has only common keywords, each with a value
 * that it may have, and refers to nothing. Of what is not plain, the metaschema has to say; compiling that takes a
 * good part of the time that a service needs to start, and most services never ask it anything.
 */
export function isPlainSchema(schema: unknown): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isRecord(schema)) return false;
  for (const keyword of Object.keys(schema)) {
    const isRight = KEYWORDS[keyword];
    if (isRight === undefined ? !keyword.startsWith('x-') : !isRight(schema[keyword])) return false;
  }
  return true;
}

type Rule = (value: unknown) => boolean;

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const isText: Rule = (value) => typeof value === 'string';
const isFlag: Rule = (value) => typeof value === 'boolean';
const isNumber: Rule = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: Rule = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAnything: Rule = () => true;
const isListOf =
  (rule: Rule): Rule =>
  (value) =>
    Array.isArray(value) && value.every(rule);
const isSomeOf =
  (rule: Rule): Rule =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(rule);
const isType: Rule = (value) => typeof value === 'string' && TYPES.includes(value);
const isDistinct: Rule = (value) => Array.isArray(value) && new Set(value).size === value.length;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isPlainSchema);
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const KEYWORDS: Readonly<Record<string, Rule | undefined>> = {
  type: (value) => isType(value) || (isSomeOf(isType)(value) && isDistinct(value)),
  title: isText,
  description: isText,
  $comment: isText,
  format: isText,
  default: isAnything,
  const: isAnything,
  // The standard would take an empty one, Ajv does not.
  enum: isSomeOf(isAnything),
  examples: isListOf(isAnything),
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  pattern: isPattern,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isFlag,
  items: isPlainSchema,
  prefixItems: isSomeOf(isPlainSchema),
  contains: isPlainSchema,
  minProperties: isCount,
  maxProperties: isCount,
  required: (value) => isListOf(isText)(value) && isDistinct(value),
  properties: isMap,
  patternProperties: (value) => isRecord(value) && Object.keys(value).every(isPattern) && isMap(value),
  additionalProperties: isPlainSchema,
  unevaluatedProperties: isPlainSchema,
  allOf: isSomeOf(isPlainSchema),
  anyOf: isSomeOf(isPlainSchema),
  oneOf: isSomeOf(isPlainSchema),
  not: isPlainSchema,
};
