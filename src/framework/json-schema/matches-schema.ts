import type { SchemaNode } from './subschemas';
import { areEqual } from '../values/are-equal';
import { lazily } from '../values/lazily';
import type * as Validators from './schema-validators';
import { isDeeplyFrozen, isObject, type ConfigValue, isList } from '../values/config-object';

const load = require;

/** Loaded only for invalid configuration. */
const validators = lazily(() => load('./schema-validators') as typeof Validators);

/** A violation of a schema, with the members that Ajv reports. */
export interface SchemaError {
  /** A JSON Pointer (RFC 6901). */
  readonly instancePath: string;
  /** The violated keyword. */
  readonly keyword: string;
  /** Details that depend on the keyword, such as `limit`. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The value of the keyword. */
  readonly schema?: unknown;
  /** The schema with the keyword. */
  readonly parentSchema?: Readonly<Record<string, unknown>>;
}

/** Validates configuration, and returns all errors of a value. */
export function schemaErrors(value: ConfigValue, schema: SchemaNode): readonly SchemaError[] {
  if (matchesSchema(value, schema) === true) return [];
  const validate = validators().validatorFor(schema);
  return validate(value) ? [] : (validate.errors ?? []);
}

/** The result of a check; undefined if it is unknown. */
type Verdict = boolean | undefined;

type Rule = (argument: unknown, value: ConfigValue, schema: SchemaNode) => Verdict;

/**
 * Returns whether a value matches a JSON Schema (draft 2020-12), by interpreting the common keywords; undefined if it
 * depends on others. Compiling a schema takes a hundred times as long, and most configuration is valid: a validator,
 * which reports errors, is compiled only if this does not return true.
 */
export function matchesSchema(value: ConfigValue, schema: unknown): Verdict {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) return undefined;
  if (known.get(schema)?.has(value as object) === true) return true;
  const verdict = verdictOf(value, schema);
  if (verdict === true && isObject(value) && isDeeplyFrozen(value)) {
    const matching = known.get(schema) ?? new WeakSet();
    known.set(schema, matching.add(value));
  }
  return verdict;
}

/** Evaluates all keywords, or up to the first that does not match. */
function verdictOf(value: ConfigValue, schema: SchemaNode): Verdict {
  let verdict: Verdict = true;
  for (const keyword of Object.keys(schema)) {
    if (ANNOTATIONS.has(keyword)) continue;
    const one = RULES[keyword]?.(schema[keyword], value, schema);
    if (one === false) return false;
    if (one === undefined) verdict = undefined;
  }
  return verdict;
}

/**
 * The values that match a schema, of those that never change: most of a large configuration is the same after a
 * change.
 */
const known = new WeakMap<object, WeakSet<object>>();

/** Keywords that are not assertions; the second line is our own. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  '$schema $comment title description default examples deprecated readOnly writeOnly '
    .concat('group hint secret sentTo restart mergeLists variants')
    .split(' '),
);

const RULES: Readonly<Record<string, Rule | undefined>> = {
  type: (types, value) =>
    typeof types === 'string'
      ? hasType(types, value)
      : any([types].flat().map((type) => hasType(type, value))),
  const: (expected, value) => areEqual(expected, value),
  enum: (list, value) => isList(list) && list.some((one) => areEqual(one, value)),
  minLength: (minimum, value) => typeof value !== 'string' || Array.from(value).length >= Number(minimum),
  maxLength: (maximum, value) =>
    typeof value !== 'string' ||
    // A character has one or two code units.
    value.length <= Number(maximum) ||
    Array.from(value).length <= Number(maximum),
  pattern: (pattern, value) => typeof value !== 'string' || matches(pattern, value),
  minimum: (minimum, value) => typeof value !== 'number' || value >= Number(minimum),
  maximum: (maximum, value) => typeof value !== 'number' || value <= Number(maximum),
  minItems: (minimum, value) => !isList(value) || value.length >= Number(minimum),
  maxItems: (maximum, value) => !isList(value) || value.length <= Number(maximum),
  uniqueItems: (isRequired, value) =>
    isRequired !== true ||
    !isList(value) ||
    value.every((one, at) => value.findIndex((other) => areEqual(one, other)) === at),
  items: (schema, value) => !isList(value) || all(value.map((item) => matchesSchema(item, schema))),
  required: (names, value) =>
    !isObject(value) ||
    (isList(names) && names.every((name) => typeof name === 'string' && Object.hasOwn(value, name))),
  propertyNames: (schema, value) =>
    !isObject(value) || all(Object.keys(value).map((name) => matchesSchema(name, schema))),
  properties: (schemas, value) =>
    eachMember(value, (member, name) => !hasMember(schemas, name) || matchesSchema(member, schemas[name])),
  patternProperties: (schemas, value) => {
    const patterns = patternsOf(schemas);
    return eachMember(value, (member, name) => matchesPatterns(patterns, member, name));
  },
  additionalProperties: (schema, value, { properties, patternProperties }) => {
    const patterns = patternsOf(patternProperties);
    return eachMember(
      value,
      (member, name) =>
        hasMember(properties, name) ||
        patterns.some(({ pattern }) => pattern.test(name)) ||
        matchesSchema(member, schema),
    );
  },
  allOf: (schemas, value) =>
    isList(schemas) ? all(schemas.map((schema) => matchesSchema(value, schema))) : undefined,
  anyOf: (schemas, value) =>
    isList(schemas) ? any(schemas.map((schema) => matchesSchema(value, schema))) : undefined,
  if: (condition, value, { then: consequence = true, else: alternative = true }) => {
    const holds = matchesSchema(value, condition);
    return holds === undefined ? undefined : matchesSchema(value, holds ? consequence : alternative);
  },
  // Evaluated with `if`.
  then: () => true,
  else: () => true,
};

function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

function any(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function hasType(type: unknown, value: ConfigValue): Verdict {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return isList(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return undefined;
  }
}

/** Checks each member of an object, or up to the first that does not match: declarations have many. */
function eachMember(
  value: ConfigValue,
  verdictOfMember: (member: ConfigValue, name: string) => Verdict,
): Verdict {
  if (!isObject(value)) return true;
  let verdict: Verdict = true;
  for (const name of Object.keys(value)) {
    const one = verdictOfMember(value[name] as ConfigValue, name);
    if (one === false) return false;
    if (one === undefined) verdict = undefined;
  }
  return verdict;
}

/** Checks a member with the schema of each pattern that its name matches. */
function matchesPatterns(patterns: readonly PatternSchema[], member: ConfigValue, name: string): Verdict {
  let verdict: Verdict = true;
  for (const { pattern, schema } of patterns) {
    if (!pattern.test(name)) continue;
    const one = matchesSchema(member, schema);
    if (one === false) return false;
    if (one === undefined) verdict = undefined;
  }
  return verdict;
}

function hasMember(schemas: unknown, name: string): schemas is Readonly<Record<string, unknown>> {
  return typeof schemas === 'object' && schemas !== null && Object.hasOwn(schemas, name);
}

/** Returns the compiled patterns of `patternProperties`. */
function patternsOf(schemas: unknown): readonly PatternSchema[] {
  if (typeof schemas !== 'object' || schemas === null) return [];
  return compiled.get(schemas) ?? compile(schemas);
}

interface PatternSchema {
  readonly pattern: RegExp;
  readonly schema: unknown;
}

/** The compiled patterns of `patternProperties`. */
const compiled = new WeakMap<object, readonly PatternSchema[]>();

function compile(schemas: object): readonly PatternSchema[] {
  const patterns = Object.entries(schemas).map(([pattern, schema]): PatternSchema => {
    return { pattern: new RegExp(pattern, 'u'), schema };
  });
  compiled.set(schemas, patterns);
  return patterns;
}

/** As in JSON Schema: unanchored, with the `u` flag. */
function matches(pattern: unknown, text: string): boolean {
  return new RegExp(String(pattern), 'u').test(text);
}
