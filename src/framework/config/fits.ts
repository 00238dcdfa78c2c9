import { isDeepStrictEqual } from 'node:util';
import { isTree, type ConfigTree, type ConfigValue } from './tree';

/** True, false, or undefined: not known here. */
type Verdict = boolean | undefined;

type Rule = (argument: unknown, value: ConfigValue, schema: ConfigTree) => Verdict;

/**
 * Whether a value fits a JSON Schema (draft 2020-12), found by going through both. It knows the common keywords;
 * what depends on others is undefined. Compiling a schema takes a hundred times as long as this, and most
 * configuration is right: a validator, which says what is wrong, is made only where this is not true.
 */
export function fits(value: ConfigValue, schema: unknown): Verdict {
  if (typeof schema === 'boolean') return schema;
  if (!isTree(schema)) return undefined;
  return all(
    Object.entries(schema).map(([keyword, argument]) => {
      if (ANNOTATIONS.has(keyword)) return true;
      return RULES[keyword]?.(argument, value, schema);
    }),
  );
}

/** What says nothing of values; the second line is our own. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  '$schema $comment title description default examples deprecated readOnly writeOnly '
    .concat('hint secret restart mergeLists variants')
    .split(' '),
);

const RULES: Readonly<Record<string, Rule | undefined>> = {
  type: (types, value) =>
    typeof types === 'string' ? isOf(types, value) : any([types].flat().map((type) => isOf(type, value))),
  const: (wanted, value) => isDeepStrictEqual(wanted, value),
  enum: (list, value) => isList(list) && list.some((one) => isDeepStrictEqual(one, value)),
  minLength: (least, value) => typeof value !== 'string' || Array.from(value).length >= Number(least),
  maxLength: (most, value) => typeof value !== 'string' || Array.from(value).length <= Number(most),
  pattern: (pattern, value) => typeof value !== 'string' || matches(pattern, value),
  minimum: (least, value) => typeof value !== 'number' || value >= Number(least),
  maximum: (most, value) => typeof value !== 'number' || value <= Number(most),
  minItems: (least, value) => !isList(value) || value.length >= Number(least),
  maxItems: (most, value) => !isList(value) || value.length <= Number(most),
  items: (schema, value) => !isList(value) || all(value.map((item) => fits(item, schema))),
  required: (names, value) =>
    !isTree(value) ||
    (isList(names) && names.every((name) => typeof name === 'string' && Object.hasOwn(value, name))),
  propertyNames: (schema, value) =>
    !isTree(value) || all(Object.keys(value).map((name) => fits(name, schema))),
  properties: (schemas, value) =>
    all(entriesOf(value).map(([name, member]) => memberFits(schemas, name, member))),
  patternProperties: (schemas, value) =>
    all(
      entriesOf(value).flatMap(([name, member]) =>
        byPattern(schemas, name).map((schema) => fits(member, schema)),
      ),
    ),
  additionalProperties: (schema, value, { properties, patternProperties }) =>
    all(
      entriesOf(value)
        .filter(([name]) => !hasMember(properties, name) && byPattern(patternProperties, name).length === 0)
        .map(([, member]) => fits(member, schema)),
    ),
  allOf: (schemas, value) =>
    isList(schemas) ? all(schemas.map((schema) => fits(value, schema))) : undefined,
  anyOf: (schemas, value) =>
    isList(schemas) ? any(schemas.map((schema) => fits(value, schema))) : undefined,
  if: (condition, value, { then: consequence = true, else: alternative = true }) => {
    const holds = fits(value, condition);
    return holds === undefined ? undefined : fits(value, holds ? consequence : alternative);
  },
  // Looked at beside `if`.
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

function isOf(type: unknown, value: ConfigValue): Verdict {
  switch (type) {
    case 'object':
      return isTree(value);
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

function memberFits(schemas: unknown, name: string, member: ConfigValue): Verdict {
  return hasMember(schemas, name) ? fits(member, schemas[name]) : true;
}

function hasMember(schemas: unknown, name: string): schemas is Readonly<Record<string, unknown>> {
  return typeof schemas === 'object' && schemas !== null && Object.hasOwn(schemas, name);
}

/** The schemas of `patternProperties` that a name falls under. */
function byPattern(schemas: unknown, name: string): readonly unknown[] {
  if (typeof schemas !== 'object' || schemas === null) return [];
  return Object.entries(schemas).flatMap(([pattern, schema]) =>
    matches(pattern, name) ? [schema as unknown] : [],
  );
}

/** As JSON Schema has it: anywhere in the text, and with `u`. */
function matches(pattern: unknown, text: string): boolean {
  return new RegExp(String(pattern), 'u').test(text);
}

function entriesOf(value: ConfigValue): readonly (readonly [name: string, member: ConfigValue])[] {
  return isTree(value) ? Object.entries(value) : [];
}

function isList(value: unknown): value is readonly ConfigValue[] {
  return Array.isArray(value);
}
