import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { allSubschemas, describeValue, isSchema, lazily, parsePointer } from '../../../framework';
import { constKeyword, enumKeyword } from '../keywords/allowed-values';
import { chooseBranch } from '../keywords/branch-choice';
import { containsKeyword } from '../keywords/contains';
import { completeEvaluated } from '../keywords/evaluated';
import { OWN_FORMATS } from '../keywords/format-check';
import { lengthKeywords, readOnlyKeyword, sortKeyword } from '../keywords/keywords';
import { multipleOfKeyword } from '../keywords/multiple-of';
import { applyAllKeywords } from '../keywords/skipped-keywords';
import { anyOfKeyword, oneOfKeyword } from '../keywords/unions';
import { uniqueItemsKeyword } from '../keywords/unique-items';
import { LimitedAjv } from './limited-ajv';

export { isMissingReference } from './limited-ajv';

/** How an instance modifies the values that it validates. */
export type ValidationMode = Pick<Options, 'useDefaults' | 'coerceTypes'>;

/** Keywords of a definition that is inlined where it is referenced; a larger one becomes a function. */
const MAX_INLINED = 20;

/**
 * Creates an instance that finds the first error only: whether a value is valid takes time in proportion to it, also of
 * one with a hundred thousand errors. It does not validate schemas: see {@link assertSchema}.
 * @param isThorough as for {@link LimitedAjv}
 */
export function createAjv(mode: ValidationMode, isThorough = false): LimitedAjv {
  return withKeywords(new LimitedAjv(optionsOf(mode), isThorough), mode);
}

/**
 * Creates an instance that reports all errors: see {@link LimitedAjv.errorsOf}.
 * @param choosesBranches whether those of a union leave out the branches that a constant member excludes
 */
export function createReportingAjv(
  mode: ValidationMode,
  isThorough = false,
  choosesBranches = true,
): LimitedAjv {
  // The other instance has logged what is wrong with a schema.
  const options: Options = { ...optionsOf(mode), allErrors: true, logger: false };
  return withKeywords(new LimitedAjv(options, isThorough), mode, choosesBranches);
}

function optionsOf(mode: ValidationMode): Options {
  return {
    ...mode,
    strict: false,
    // JSON.parse reads 1e400 as Infinity, which no response could represent.
    strictNumbers: true,
    validateSchema: false,
    meta: false,
    inlineRefs: MAX_INLINED,
  };
}

function withKeywords(ajv: LimitedAjv, { coerceTypes }: ValidationMode, choosesBranches = true): LimitedAjv {
  // Conversions to a type would make other values equal to a constant.
  const choose = choosesBranches && coerceTypes === undefined ? chooseBranch : () => () => undefined;
  applyAllKeywords(ajv);
  completeEvaluated(ajv);
  ajv
    .removeKeyword('const')
    .removeKeyword('enum')
    .addKeyword(constKeyword)
    .addKeyword(enumKeyword)
    .removeKeyword('maxLength')
    .removeKeyword('minLength')
    .removeKeyword('multipleOf')
    .removeKeyword('uniqueItems')
    .removeKeyword('contains')
    .removeKeyword('anyOf')
    .removeKeyword('oneOf')
    .addKeyword(lengthKeywords)
    .addKeyword(multipleOfKeyword)
    .addKeyword(uniqueItemsKeyword)
    .addKeyword(containsKeyword)
    .addKeyword(oneOfKeyword(choose))
    .addKeyword(anyOfKeyword(choose))
    .addKeyword(sortKeyword)
    .addKeyword(readOnlyKeyword((parent, name) => ajv.removeMember(parent, name)));
  addFormats(ajv);
  for (const [name, validate] of Object.entries(OWN_FORMATS)) ajv.addFormat(name, validate);
  return ajv;
}

/** The only instance that compiles the metaschema, because that is slow. */
const metaschema = lazily(() => addFormats(new Ajv2020({ strict: false })));

/** @throws Error that says what is wrong with the schema */
export function assertSchema(schema: object): void {
  const ajv = metaschema();
  if (ajv.validateSchema(schema) === true) return;
  const hint = tupleHint(schema);
  if (hint !== undefined) throw new Error(hint);
  throw new Error(describeErrors(ajv.errors ?? [], schema));
}

/** Describes the innermost error: the metaschema also reports alternatives, such as a list of types. */
function describeErrors(errors: readonly ErrorObject[], schema: object): string {
  const deepest = Math.max(...errors.map(({ instancePath }) => parsePointer(instancePath).length));
  const innermost = errors.filter(({ instancePath }) => parsePointer(instancePath).length === deepest);
  const error = innermost.find(({ keyword }) => keyword === 'enum') ?? innermost[0];
  if (error === undefined) return 'it matches no vocabulary of JSON Schema 2020-12';
  const keys = parsePointer(error.instancePath);
  const found = keys.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    schema,
  );
  const { allowedValues: allowed } = error.params as { readonly allowedValues?: unknown };
  const reason = Array.isArray(allowed)
    ? `allowed: ${allowed.join(', ')}`
    : `it ${error.message ?? 'is invalid'}`;
  const shown = typeof found === 'string' ? JSON.stringify(found) : describeValue(found);
  return `${keys.join('.') || 'the schema'} is ${shown}; ${reason}`;
}

/**
 * Explains a schema that is invalid because `items` is an array, as in drafts before 2020-12 and TypeBox's
 * `Type.Tuple`.
 * @returns undefined if there is no such schema
 */
function tupleHint(schema: object): string | undefined {
  const tuple = isSchema(schema)
    ? allSubschemas(schema).find(({ items }) => Array.isArray(items))
    : undefined;
  if (tuple === undefined) return undefined;
  return (
    `"items" is ${describeValue(tuple.items)}, as Type.Tuple writes it and as in JSON Schema before 2020-12. ` +
    "Write Type.Unsafe<[A, B]>({ type: 'array', prefixItems: [a, b], items: false, minItems: 2 }) instead"
  );
}
