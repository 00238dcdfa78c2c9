import type { ValidateFunction } from 'ajv/dist/2020';
import { allSubschemas, isSchema, lazily } from '../../framework';
import type * as Instances from './ajv';
import type { Ajv, ValidationMode } from './ajv';
import { fileKeyword, withFiles } from './keywords/file-keyword';
import { SharedDefinitions } from './shared-definitions';

const load = require;

/** Loaded on first use: loading Ajv takes a tenth of the startup time. */
const ajvs = lazily(() => load('./ajv') as typeof Instances);

/** @throws Error that says what is wrong with the schema */
export function assertSchema(schema: object): void {
  ajvs().assertSchema(schema);
}

/**
 * Compiles schemas on first use. Operations with equal schemas share the compiled function: it is optimized sooner
 * and stays in the processor's cache.
 */
export class SchemaCompiler {
  readonly #ajv: () => Ajv;
  readonly #shared: SharedDefinitions;
  readonly #compiled = new Map<string, ValidateFunction>();

  /** @param shared definitions that schemas have in common */
  constructor(mode: ValidationMode, shared = new SharedDefinitions({})) {
    this.#ajv = lazily(() => ajvs().createAjv(mode));
    this.#shared = shared;
  }

  /**
   * Returns a function that compiles a schema on first call. A schema with references that cannot be verified is
   * compiled immediately, to find unresolved references.
   * @throws Error for an invalid schema
   */
  compile(schema: object): () => ValidateFunction {
    const compiled = lazily(() => this.#compileNow(schema));
    if (!this.#shared.isObviouslyValid(schema)) {
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
    this.#compileNow(whole);
    this.#shared.compile(this.#ajv(), name);
  }

  #compileNow(schema: object): ValidateFunction {
    const ajv = this.#ajv();
    const own = this.#shared.prepare(ajv, schema);
    const key = schemaKey(own);
    if (key === undefined) return compileSchema(ajv, own);
    const known = this.#compiled.get(key) ?? compileSchema(ajv, own);
    this.#compiled.set(key, known);
    return known;
  }
}

/** Forgets each `$id` after compilation, because the schemas of other versions and operations may have the same. */
function compileSchema(ajv: Ajv, schema: object): ValidateFunction {
  if (ajv.getKeyword('x-file') === false) ajv.addKeyword(fileKeyword);
  const validate = ajv.compile(withFiles(schema));
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
