import type { TSchema } from '@sinclair/typebox';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { nearest } from './nearest';
import type { Layer } from './layer';
import { showPath, valueAt, type ConfigValue, type KeyPath } from './tree';

/**
 * Checks merged configuration, or the part of it at `base`, against its schema.
 * @returns a message for each error: source and place, key path, what is there, what is allowed
 */
export function check(
  value: ConfigValue,
  schema: TSchema,
  layers: readonly Layer[],
  base: KeyPath = [],
): readonly string[] {
  const ajv = addFormats(
    new Ajv2020({ allErrors: true, verbose: true, strict: false, allowUnionTypes: true }),
  );
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return withoutEchoes(validate.errors ?? []).map((error) => describe(error, value, layers, base));
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

function describe(error: ErrorObject, value: ConfigValue, layers: readonly Layer[], base: KeyPath): string {
  const inner = keyPath(error, value);
  const path = [...base, ...inner];
  const layer = [...layers].reverse().find((one) => valueAt(one.tree, path) !== undefined);
  const missing = error.keyword === 'required' ? path.slice(0, -1) : path;
  const owner = layer ?? [...layers].reverse().find((one) => valueAt(one.tree, missing) !== undefined);
  const place = owner?.locate === undefined ? '' : `:${owner.locate(missing)}`;
  return `${owner?.source ?? 'the configuration'}${place}: ${showPath(path)}: ${complaint(error, valueAt(value, inner))}`;
}

/** The keys to the value that is wrong: for a key that is unknown or missing, to that key. */
function keyPath(error: ErrorObject, value: ConfigValue): KeyPath {
  const path: (string | number)[] = [];
  for (const part of error.instancePath.split('/').slice(1)) {
    const key = part.replace(/~1/g, '/').replace(/~0/g, '~');
    path.push(Array.isArray(valueAt(value, path)) ? Number(key) : key);
  }
  const params: Record<string, unknown> = error.params;
  const extra = params.additionalProperty ?? params.missingProperty ?? params.propertyName;
  return typeof extra === 'string' ? [...path, extra] : path;
}

function complaint(error: ErrorObject, found: unknown): string {
  const params: Record<string, unknown> = error.params;
  const is = `is ${JSON.stringify(found)}`;
  const hint = hintOf(error);
  switch (error.keyword) {
    case 'additionalProperties': {
      const allowed = Object.keys((error.parentSchema?.properties ?? {}) as object);
      const unknown = String(params.additionalProperty);
      const meant = nearest(unknown, allowed);
      return `unknown key.${meant === undefined ? '' : ` Did you mean "${meant}"?`} Allowed: ${allowed.join(', ') || 'none'}.`;
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
