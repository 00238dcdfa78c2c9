import type { ValidateFunction } from 'ajv/dist/2020';
import { createRequire } from 'node:module';
import { allSubschemas, isSchema, lazily } from '../../framework';
import type * as Instances from './ajv';
import type { Ajv, ValidationMode } from './ajv';
import { fileKeyword, withFiles } from './keywords/file-keyword';
import { SharedDefinitions } from './shared-definitions';

const load = createRequire(__filename);

/** Loaded when something is first compiled: a service starts a tenth sooner without. */
const ajvs = lazily(() => load('./ajv') as typeof Instances);

/** @throws Error that says what is wrong with a schema */
export function assertSchema(schema: object): void {
  ajvs().assertSchema(schema);
}

/**
 * Compiles schemas, each when something is first validated. Operations whose schemas say the same share what was
 * compiled: a function that many call is one that the engine optimizes, and that is in the processor's cache.
 */
export class SchemaCompiler {
  readonly #ajv: () => Ajv;
  readonly #shared: SharedDefinitions;
  readonly #compiled = new Map<string, ValidateFunction>();

  /** @param shared the definitions that schemas have in common */
  constructor(manner: ValidationMode, shared = new SharedDefinitions({})) {
    this.#ajv = lazily(() => ajvs().createAjv(manner));
    this.#shared = shared;
  }

  /**
   * The compiled form of a schema, made when it is first asked for. One that refers to others is compiled at once:
   * only then is it known whether they are there.
   * @throws Error for a schema that is none
   */
  compile(schema: object): () => ValidateFunction {
    const compiled = lazily(() => this.#compileNow(schema));
    if (!this.#shared.isObviouslyValid(schema)) {
      assertSchema(this.#shared.withoutShared(schema));
      compiled();
    }
    return compiled;
  }

  /** Compiles a shared definition, and what leads to it. @param whole one that refers to it. @throws Error where it is none */
  compileShared(name: string, whole: object): void {
    this.#compileNow(whole);
    this.#shared.compile(this.#ajv(), name);
  }

  #compileNow(schema: object): ValidateFunction {
    const ajv = this.#ajv();
    const own = this.#shared.prepare(ajv, schema);
    const text = textOf(own);
    if (text === undefined) return make(ajv, own);
    const known = this.#compiled.get(text) ?? make(ajv, own);
    this.#compiled.set(text, known);
    return known;
  }
}

/** A `$id` may stand in the schemas of other versions and operations, too: once compiled, it need not be known. */
function make(ajv: Ajv, schema: object): ValidateFunction {
  if (ajv.getKeyword('x-file') === false) ajv.addKeyword(fileKeyword);
  const validate = ajv.compile(withFiles(schema));
  for (const { $id: id } of isSchema(schema) ? allSubschemas(schema) : [])
    if (typeof id === 'string') ajv.removeSchema(id);
  return validate;
}

/** The same for schemas that say the same; undefined for one that holds what JSON has no form for, as a default may. */
function textOf(schema: object): string | undefined {
  try {
    return JSON.stringify(schema, (_name, value: unknown) => {
      if (typeof value === 'number' ? Number.isFinite(value) : isJsonOrAbsent(value)) return value;
      throw new TypeError('This is no JSON.');
    });
  } catch {
    return undefined;
  }
}

function isJsonOrAbsent(value: unknown): boolean {
  return typeof value !== 'bigint' && typeof value !== 'function' && typeof value !== 'symbol';
}
