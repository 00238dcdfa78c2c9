import { containsSecret } from './annotations';
import { ConfigurationError } from '../errors/configuration-error';
import { errorMessage } from '../errors/error-message';
import { describeSizeLimit } from '../json-schema/size-limits';
import { schemaErrors, type SchemaError } from '../json-schema/matches-schema';
import { parsePointer } from '../json/json-pointer';
import { didYouMean } from '../text/closest-match';
import type { Layer } from './layers/layer';
import type { SchemaNode } from '../json-schema/subschemas';
import { formatKeyPath, valueAt, type ConfigValue, type KeyPath } from '../values/config-object';
import { describeValue } from '../text/describe-value';

/** A violation of a configuration schema. */
export interface ConfigurationIssue {
  readonly path: KeyPath;
  /** The violated keyword of the schema. */
  readonly keyword: string;
  /** Source and position, key path, the value, what is allowed. */
  readonly message: string;
}

/**
 * Checks configuration, or the part of it at `base`, against its schema.
 * @param value the value at `base`
 * @param layers locate the source of each issue
 */
export function check(
  value: ConfigValue,
  schema: SchemaNode,
  layers: readonly Layer[],
  base: KeyPath = [],
): readonly ConfigurationIssue[] {
  return withoutUnionNoise(errorsOf(value, schema, base)).map((error) => {
    const inner = keyPath(error, value);
    const path = [...base, ...inner];
    const found = valueAt(value, inner);
    const isVariable = isSubstituted(path, layers);
    // Viewers of the admin read the messages, and logs keep them.
    const isHidden = containsSecret(schema, inner, found) || isVariable;
    const message = describe(error, path, { value: found, shown: shownValue(found, isHidden) }, layers);
    return { path, keyword: error.keyword, message: message + (isVariable ? adviceOnVariable(error) : '') };
  });
}

/** @throws ConfigurationError for a schema that is invalid itself, such as that of a module */
function errorsOf(value: ConfigValue, schema: SchemaNode, base: KeyPath): readonly SchemaError[] {
  try {
    return schemaErrors(value, schema);
  } catch (cause) {
    throw new ConfigurationError(
      `The schema of ${formatKeyPath(base)}, which a module declares, is invalid: ${errorMessage(cause)}`,
      { cause },
    );
  }
}

/** A value, and how a message shows it. */
interface Found {
  readonly value: ConfigValue | undefined;
  readonly shown: string;
}

/** Whether a value has an environment variable. Members of additive lists have other positions in their layers. */
function isSubstituted(path: KeyPath, layers: readonly Layer[]): boolean {
  return layers.some(({ written = [] }) =>
    written.some((one) =>
      path.every((key, at) => one.path[at] === key || (isIndex(key) && isIndex(one.path[at]))),
    ),
  );
}

function isIndex(key: string | number | undefined): boolean {
  return typeof key === 'number';
}

/** `anyOf` reports every failed branch: only the errors of the deepest branch are kept. */
function withoutUnionNoise(errors: readonly SchemaError[]): readonly SchemaError[] {
  const unions = errors.filter(
    ({ keyword }) => keyword === 'anyOf' || keyword === 'if' || keyword === 'oneOf',
  );
  return errors.filter((error) => {
    if (unions.includes(error)) {
      return !errors.some(
        (other) => other !== error && other.instancePath.startsWith(`${error.instancePath}/`),
      );
    }
    return !unions.some((union) => union.instancePath === error.instancePath);
  });
}

function describe(error: SchemaError, path: KeyPath, found: Found, layers: readonly Layer[]): string {
  const layer = [...layers].reverse().find((one) => valueAt(one.tree, path) !== undefined);
  const isRemoved = layer !== undefined && valueAt(layer.tree, path) === null;
  const reportedPath = found.value === undefined && !isRemoved ? path.slice(0, -1) : path;
  const owner = layer ?? [...layers].reverse().find((one) => valueAt(one.tree, reportedPath) !== undefined);
  const position = owner?.locate === undefined ? '' : `:${owner.locate(reportedPath)}`;
  const reason =
    error.keyword === 'required' && isRemoved
      ? `is removed by null, but is required.${hintOf(error)}`
      : describeViolation(error, found.shown);
  return `${owner?.source ?? 'the configuration'}${position}: ${formatKeyPath(path)}: ${reason}`;
}

/** The path of the invalid value; for an unknown or missing key, of that key. */
function keyPath(error: SchemaError, value: ConfigValue): KeyPath {
  const path: (string | number)[] = [];
  for (const key of parsePointer(error.instancePath)) {
    path.push(Array.isArray(valueAt(value, path)) ? Number(key) : key);
  }
  const params: Record<string, unknown> = error.params;
  const extra = params.additionalProperty ?? params.missingProperty ?? params.propertyName;
  return typeof extra === 'string' ? [...path, extra] : path;
}

function describeViolation(error: SchemaError, shown: string): string {
  const params: Record<string, unknown> = error.params;
  const is = `is ${shown}`;
  const hint = hintOf(error);
  switch (error.keyword) {
    case 'additionalProperties': {
      const allowed = Object.keys(error.parentSchema?.properties ?? {});
      const patterns = Object.keys(error.parentSchema?.patternProperties ?? {});
      const names = [...allowed, ...patterns.map((pattern) => `names that match ${pattern}`)];
      return `unknown key.${didYouMean(String(params.additionalProperty), allowed)} Allowed: ${names.join(', ') || 'none'}.`;
    }
    case 'required':
      return `is missing.${hint}`;
    case 'type':
      return `${is}; it must be of type ${[params.type].flat().join(' or ')}.${hint}`;
    case 'enum':
    case 'const':
      return `${is}; allowed: ${JSON.stringify(params.allowedValues ?? params.allowedValue)}.${hint}`;
    case 'anyOf':
      return `${is}; allowed: ${constants(error.schema)}.${hint}`;
    case 'pattern':
    case 'propertyNames':
      return error.keyword === 'pattern'
        ? `${is}; it must match ${String(params.pattern)}.${hint}`
        : `is not an allowed name.${hint}`;
    default:
      return `${is}; it ${describeLimit(error) ?? error.message ?? 'is invalid'}.${hint}`;
  }
}

const BOUNDS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'greater than',
  exclusiveMaximum: 'less than',
};

/** `maximum` → `must be at most 65535`, `minLength` → `must have at least 1 character` */
function describeLimit({ keyword, params }: SchemaError): string | undefined {
  const { limit } = params as { readonly limit?: unknown };
  const bound = BOUNDS[keyword];
  if (bound !== undefined) return `must be ${bound} ${String(limit)}`;
  return describeSizeLimit(keyword, limit, 'key');
}

/** Longer values are described instead of printed. */
const MAX_LENGTH = 120;

/** Types without a JSON representation. */
const NOT_JSON: readonly string[] = ['undefined', 'function', 'symbol'];

/** Prints a value as JSON where possible; scripts may hold other values. @param isHidden whether to show its type only */
function shownValue(found: unknown, isHidden: boolean): string {
  if (isHidden && ['string', 'number', 'boolean'].includes(typeof found)) return `a ${typeof found}`;
  if (isHidden || NOT_JSON.includes(typeof found)) return describeValue(found);
  try {
    const text = JSON.stringify(found);
    return text.length > MAX_LENGTH ? describeValue(found) : text;
  } catch {
    return describeValue(found);
  }
}

function hintOf(error: SchemaError): string {
  const hint: unknown = error.parentSchema?.hint;
  return typeof hint === 'string' ? ` ${hint}` : '';
}

const TYPES_OTHER_THAN_TEXT: readonly unknown[] = ['integer', 'number', 'boolean'];

/** Returns what to do about the text of an environment variable where a number or a boolean is allowed. */
function adviceOnVariable({ keyword, params, schema }: SchemaError): string {
  const branches: readonly Branch[] = keyword === 'anyOf' && Array.isArray(schema) ? schema : [];
  const types = [params.type, ...branches.map(({ type }) => type)].flat();
  return types.some((type) => TYPES_OTHER_THAN_TEXT.includes(type))
    ? ' Environment variables are texts: convert it in a script, such as config/autoload/environment.global.js.'
    : '';
}

/** Lists the alternatives of a union. */
function constants(branches: unknown): string {
  if (!Array.isArray(branches)) return 'see the documentation';
  return branches
    .map((branch: Branch) =>
      branch.const === undefined
        ? (branch.type ?? 'an object') + rangeOf(branch)
        : JSON.stringify(branch.const),
    )
    .join(' or ');
}

interface Branch {
  readonly const?: unknown;
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

function rangeOf({ minimum, maximum }: Branch): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}
