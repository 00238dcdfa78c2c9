import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020';
import {
  allSubschemas,
  hasKeyword,
  isInherited,
  isSchema,
  lazily,
  listOf,
  objectOf,
  oncePer,
  type SchemaNode,
} from '../../../framework';
import type * as Ajvs from './ajv';
import type { ValidationMode } from './ajv';
import { fileKeyword, withFiles } from '../keywords/file-keyword';
import { withShortLocation } from '../error-limits';
import type { LimitedAjv } from './limited-ajv';
import { groupLiterals, refersToBranch } from './literal-unions';
import { narrowUnions } from './narrow-unions';
import { separateDefinitions } from './separate-definitions';
import { SharedDefinitions, type Rewrite } from './shared-definitions';

const load = require;

/** Loaded on first use: loading Ajv takes a tenth of the startup time. */
const ajvs = lazily(() => load('./ajv') as typeof Ajvs);

/** @throws Error that says what is wrong with the schema */
export function assertSchema(schema: object): void {
  ajvs().assertSchema(schema);
}

/** A compiled schema. */
export interface CompiledSchema {
  /** Returns whether a value is valid; modifies it as the mode of the compiler says. */
  readonly accepts: (value: unknown) => boolean;
  /** Returns the errors of the value that was not accepted last; the first ones, if there are too many. */
  readonly errorsOf: (value: unknown) => readonly ErrorObject[];
  /** Whether `accepts` converts members, also of values that it does not accept. */
  readonly isAltering: boolean;
}

/** Returns the errors of a value; undefined if they are not known. */
type Reporter = (value: unknown) => readonly ErrorObject[] | undefined;

/**
 * Compiles schemas on first use: to accept values, and for the first value that is not accepted, to report all of its
 * errors. Operations with equal schemas share the compiled function: it is optimized sooner and stays in the processor's
 * cache.
 */
export class SchemaCompiler {
  /** The first ones need less time. */
  readonly #plain: Instances;
  readonly #thorough: Instances;
  readonly #isAltering: boolean;
  readonly #shared: SharedDefinitions;
  readonly #compiled = new Map<string, CompiledSchema>();
  readonly #isThorough = oncePer((one: unknown) => isSchema(one) && needsThoroughness(one));

  /** @param shared definitions that schemas have in common */
  constructor(mode: ValidationMode, shared = new SharedDefinitions({})) {
    this.#plain = instancesOf(mode, false);
    this.#thorough = instancesOf(mode, true);
    this.#isAltering = mode.coerceTypes !== undefined;
    this.#shared = shared;
  }

  /**
   * Returns a function that compiles a schema on first call. A schema with references that cannot be verified is
   * compiled immediately, to find unresolved references.
   * @throws Error for an invalid schema
   */
  compile(schema: object): () => CompiledSchema {
    const isVerified = this.#shared.isObviouslyValid(schema);
    const compiled = lazily(() => this.#compileNow(schema, isVerified));
    if (!isVerified) {
      assertSchema(this.#shared.withoutShared(schema));
      compiled();
    }
    return compiled;
  }

  /**
   * Compiles a shared definition and its references. @param whole a schema that refers to it. @throws Error if it is
   * invalid
   */
  compileShared(name: string, whole: object): void {
    this.#compileNow(whole, true);
    this.#shared.compile(this.#instancesFor(whole).accepting(), name);
  }

  #instancesFor(schema: object): Instances {
    if (!isSchema(schema)) return this.#plain;
    const { $defs: definitions, ...own } = schema;
    const isThorough =
      needsThoroughness(own) ||
      // Many schemas have the same definitions.
      Object.values(objectOf(definitions)).some(this.#isThorough);
    return isThorough ? this.#thorough : this.#plain;
  }

  /** @param isVerified whether no part of the schema needs to be compiled to find errors */
  #compileNow(schema: object, isVerified: boolean): CompiledSchema {
    const ajv = this.#instancesFor(schema).accepting();
    const own = this.#shared.prepare(ajv, schema);
    const key = schemaKey(own);
    const known = key === undefined ? undefined : this.#compiled.get(key);
    if (known !== undefined) return known;
    const validate = compileSchema(ajv, own, isVerified);
    const report = lazily(() => this.#reporterOf(schema));
    const compiled: CompiledSchema = {
      accepts: (value) => ajv.accepts(validate, value),
      errorsOf: (value) => (report()(value) ?? validate.errors ?? []).filter(isReason).map(withShortLocation),
      isAltering: this.#isAltering,
    };
    if (key !== undefined) this.#compiled.set(key, compiled);
    return compiled;
  }

  #reporterOf(schema: object): Reporter {
    const { narrowing, reporting } = this.#instancesFor(schema);
    const whole = lazily(() => this.#compileReporter(schema, reporting()));
    // Conversions to a type would modify values where the type is a condition.
    if (this.#isAltering || !isSchema(schema) || !hasKeyword(schema, 'anyOf', 'oneOf')) return whole();
    const narrowed = lazily(() => this.#compileNarrowed(schema, narrowing()));
    return (value) => narrowed()?.(value) ?? whole()(value);
  }

  /** Returns undefined for a schema with a reference into a union, which the rewritten one does not have. */
  #compileNarrowed(schema: SchemaNode, ajv: LimitedAjv): Reporter | undefined {
    try {
      return this.#compileReporter(schema, ajv, narrowUnions);
    } catch (error) {
      if (ajvs().isMissingReference(error)) return undefined;
      throw error;
    }
  }

  #compileReporter(schema: object, ajv: LimitedAjv, rewrite?: Rewrite): Reporter {
    const validate = compileSchema(ajv, this.#shared.prepare(ajv, schema, rewrite), true);
    const hasBranches = isSchema(schema) && hasKeyword(schema, 'anyOf', 'contains', 'if', 'not', 'oneOf');
    return (value) => ajv.errorsOf(validate, value, hasBranches);
  }
}

/** Returns whether an error is not only that of a condition, whose branch has errors of its own. */
function isReason({ keyword }: ErrorObject): boolean {
  return keyword !== 'if';
}

/** Instances of Ajv, created at their first use. */
interface Instances {
  /** Finds the first error only. */
  readonly accepting: () => LimitedAjv;
  /** Finds all errors. */
  readonly reporting: () => LimitedAjv;
  /** Finds all errors, of one branch of a union if possible. */
  readonly narrowing: () => LimitedAjv;
}

/** Returns whether a schema has unevaluated members, or names that every object inherits, such as `constructor`. */
function needsThoroughness(schema: SchemaNode): boolean {
  return (
    hasKeyword(schema, 'unevaluatedItems', 'unevaluatedProperties') ||
    allSubschemas(schema).some((one) =>
      namesIn(one).some((name) => typeof name === 'string' && isInherited(name)),
    )
  );
}

function namesIn({
  properties,
  required,
  dependentRequired,
  dependentSchemas,
}: SchemaNode): readonly unknown[] {
  const dependent = objectOf(dependentRequired);
  return [
    ...[properties, dependent, dependentSchemas].flatMap((one) => Object.keys(objectOf(one))),
    ...[required, ...Object.values(dependent)].flatMap(listOf),
  ];
}

function instancesOf(mode: ValidationMode, isThorough: boolean): Instances {
  return {
    accepting: lazily(() => ajvs().createAjv(mode, isThorough)),
    reporting: lazily(() => ajvs().createReportingAjv(mode, isThorough)),
    narrowing: lazily(() => ajvs().createReportingAjv(mode, isThorough, false)),
  };
}

/** Forgets each `$id` after compilation, because the schemas of other versions and operations may have the same. */
function compileSchema(ajv: Ajv2020, schema: object, isVerified: boolean): ValidateFunction {
  if (ajv.getKeyword('x-file') === false) ajv.addKeyword(fileKeyword);
  const isReferenced = lazily(() => refersToBranch(schema));
  const prepare = (one: object): object => groupLiterals(withFiles(one), isReferenced);
  const validate = ajv.compile(prepare(separateDefinitions(ajv, schema, prepare, isVerified)));
  for (const { $id: id } of isSchema(schema) ? allSubschemas(schema) : [])
    if (typeof id === 'string') ajv.removeSchema(id);
  return validate;
}

/**
 * Returns equal keys for equal schemas; undefined for one that JSON cannot represent, for example because of a
 * default.
 */
function schemaKey(schema: object): string | undefined {
  try {
    return JSON.stringify(schema, (_name, value: unknown) => {
      if (typeof value === 'number' ? Number.isFinite(value) : isJsonOrAbsent(value)) return value;
      throw new TypeError('JSON cannot represent the value.');
    });
  } catch {
    return undefined;
  }
}

function isJsonOrAbsent(value: unknown): boolean {
  return typeof value !== 'bigint' && typeof value !== 'function' && typeof value !== 'symbol';
}
