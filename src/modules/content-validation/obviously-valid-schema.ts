/**
 * Whether a JSON Schema (draft 2020-12) is a right one beyond doubt: it has only common keywords, each with a value
 * that it may have, and refers to nothing but its own definitions. Of what is not plain, the metaschema has to say;
 * compiling that takes a good part of the time that a service needs to start, and most services never ask it anything.
 * @param right definitions that were found right before
 */
export function isObviouslyValidSchema(schema: unknown, right: ReadonlySet<unknown> = NONE): boolean {
  if (!isRecord(schema) || !isRecord(schema.$defs)) return isObviouslyValid(schema, {});
  const { $defs: definitions, ...root } = schema;
  return [root, ...Object.values(definitions)].every(
    (part) => right.has(part) || isObviouslyValid(part, definitions),
  );
}

const NONE: ReadonlySet<unknown> = new Set();

/** The same of one that is a part of another. @param definitions what references may lead to */
export function isObviouslyValid(schema: unknown, definitions: object): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isRecord(schema)) return false;
  for (const keyword of Object.keys(schema)) {
    const isRight = KEYWORDS[keyword];
    if (isRight === undefined ? !keyword.startsWith('x-') : !isRight(schema[keyword], definitions))
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
const isSomeOf =
  (rule: Rule): Rule =>
  (value, definitions) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => rule(one, definitions));
const isType: Rule = (value) => typeof value === 'string' && TYPES.includes(value);
const isDistinct: Rule = (value) => Array.isArray(value) && new Set(value).size === value.length;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isMap: Rule = (value, definitions) =>
  isRecord(value) && Object.values(value).every((one) => isObviouslyValid(one, definitions));

/** A name that stands in a JSON Pointer, and in an address, as it is. */
const DEFINITION = /^#\/\$defs\/([\w.-]+)$/;

const isReference: Rule = (value, definitions) => {
  const [, name] = typeof value === 'string' ? (DEFINITION.exec(value) ?? []) : [];
  return name !== undefined && Object.hasOwn(definitions, name);
};

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const KEYWORDS: Readonly<Record<string, Rule | undefined>> = {
  $ref: isReference,
  type: (value) => isType(value, {}) || (isSomeOf(isType)(value, {}) && isDistinct(value, {})),
  title: isText,
  description: isText,
  // What else an operator reads where the value is wrong.
  hint: isText,
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
  multipleOf: (value) => isNumber(value, {}) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  pattern: isPattern,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isFlag,
  items: isObviouslyValid,
  prefixItems: isSomeOf(isObviouslyValid),
  contains: isObviouslyValid,
  minProperties: isCount,
  maxProperties: isCount,
  required: (value) => isListOf(isText)(value, {}) && isDistinct(value, {}),
  properties: isMap,
  patternProperties: (value, definitions) =>
    isRecord(value) && Object.keys(value).every(isPattern) && isMap(value, definitions),
  additionalProperties: isObviouslyValid,
  unevaluatedProperties: isObviouslyValid,
  allOf: isSomeOf(isObviouslyValid),
  anyOf: isSomeOf(isObviouslyValid),
  oneOf: isSomeOf(isObviouslyValid),
  not: isObviouslyValid,
};
