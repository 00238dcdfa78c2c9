import type { ErrorObject } from 'ajv/dist/2020';
import { createRequire } from 'node:module';
import { lazily } from '../lazily';
import { fits } from './fits';
import { keysAt } from './json-pointer';
import { nearest } from './nearest';
import type { Layer } from './layer';
import type { SchemaNode } from './subschemas';
import { showPath, valueAt, type ConfigValue, type KeyPath } from './tree';
import { whatIs } from './what-is';
import type * as Validators from './validators';

const load = createRequire(__filename);

/** What is right is never compiled. */
const validators = lazily(() => load('./validators') as typeof Validators);

/** What is wrong with configuration. */
export interface Fault {
  readonly path: KeyPath;
  /** The keyword of the schema that is not met. */
  readonly keyword: string;
  /** Source and place, key path, what is there, what is allowed. */
  readonly message: string;
}

/**
 * Checks configuration, or the part of it at `base`, against its schema.
 * @param value what stands at `base`
 * @param layers to find the places that are to blame
 */
export function check(
  value: ConfigValue,
  schema: SchemaNode,
  layers: readonly Layer[],
  base: KeyPath = [],
): readonly Fault[] {
  if (fits(value, schema) === true) return [];
  const validate = validators().validatorOf(schema);
  if (validate(value)) return [];
  return withoutEchoes(validate.errors ?? []).map((error) => {
    const inner = keyPath(error, value);
    const path = [...base, ...inner];
    const message = describe(error, path, valueAt(value, inner), layers);
    return { path, keyword: error.keyword, message };
  });
}

/** `anyOf` reports every branch that failed: the one that got deepest is what the author meant. */
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
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

function describe(
  error: ErrorObject,
  path: KeyPath,
  found: ConfigValue | undefined,
  layers: readonly Layer[],
): string {
  const layer = [...layers].reverse().find((one) => valueAt(one.tree, path) !== undefined);
  const isTakenAway = layer !== undefined && valueAt(layer.tree, path) === null;
  const blamed = found === undefined && !isTakenAway ? path.slice(0, -1) : path;
  const owner = layer ?? [...layers].reverse().find((one) => valueAt(one.tree, blamed) !== undefined);
  const place = owner?.locate === undefined ? '' : `:${owner.locate(blamed)}`;
  const why =
    error.keyword === 'required' && isTakenAway
      ? `is taken away by null, and must be there.${hintOf(error)}`
      : complaint(error, found);
  return `${owner?.source ?? 'the configuration'}${place}: ${showPath(path)}: ${why}`;
}

/** The keys to the value that is wrong: for a key that is unknown or missing, to that key. */
function keyPath(error: ErrorObject, value: ConfigValue): KeyPath {
  const path: (string | number)[] = [];
  for (const key of keysAt(error.instancePath)) {
    path.push(Array.isArray(valueAt(value, path)) ? Number(key) : key);
  }
  const params: Record<string, unknown> = error.params;
  const extra = params.additionalProperty ?? params.missingProperty ?? params.propertyName;
  return typeof extra === 'string' ? [...path, extra] : path;
}

function complaint(error: ErrorObject, found: unknown): string {
  const params: Record<string, unknown> = error.params;
  const is = `is ${printed(found)}`;
  const hint = hintOf(error);
  switch (error.keyword) {
    case 'additionalProperties': {
      const allowed = Object.keys((error.parentSchema?.properties ?? {}) as object);
      const patterns = Object.keys((error.parentSchema?.patternProperties ?? {}) as object);
      const meant = nearest(String(params.additionalProperty), allowed);
      const names = [...allowed, ...patterns.map((pattern) => `names that match ${pattern}`)];
      return `unknown key.${meant === undefined ? '' : ` Did you mean "${meant}"?`} Allowed: ${names.join(', ') || 'none'}.`;
    }
    case 'required':
      return `is missing.${hint}`;
    case 'type':
      return `${is}; it must be of type ${String(params.type)}.${hint}`;
    case 'enum':
    case 'const':
      return `${is}; allowed: ${JSON.stringify(params.allowedValues ?? params.allowedValue)}.${hint}`;
    case 'anyOf':
      return `${is}; allowed: ${constants(error.schema)}.${hint}`;
    case 'pattern':
    case 'propertyNames':
      return error.keyword === 'pattern'
        ? `${is}; it must match ${String(params.pattern)}.${hint}`
        : `is no allowed name.${hint}`;
    default:
      return `${is}; it ${error.message ?? 'is wrong'}.${hint}`;
  }
}

/** Characters of a value that are told. */
const LONGEST = 120;

/** What JSON has no text for. */
const WORDLESS: readonly string[] = ['undefined', 'function', 'symbol'];

/** A value as it was written; code may have what nobody can write as JSON. */
function printed(found: unknown): string {
  if (WORDLESS.includes(typeof found)) return whatIs(found);
  try {
    const text = JSON.stringify(found);
    return text.length > LONGEST ? whatIs(found) : text;
  } catch {
    return whatIs(found);
  }
}

function hintOf(error: ErrorObject): string {
  const hint: unknown = error.parentSchema?.hint;
  return typeof hint === 'string' ? ` ${hint}` : '';
}

/** The branches of a union as people would write them. */
function constants(branches: unknown): string {
  if (!Array.isArray(branches)) return 'see the documentation';
  return branches
    .map((branch: { const?: unknown; type?: string }) =>
      branch.const === undefined ? (branch.type ?? 'an object') : JSON.stringify(branch.const),
    )
    .join(' or ');
}
