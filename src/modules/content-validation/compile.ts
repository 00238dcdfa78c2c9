import type { TSchema } from '@sinclair/typebox';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020';
import { createRequire } from 'node:module';
import { allSubschemas, isSchema, lazily, pointerOf } from '../../framework';
import type * as Instances from './ajv';
import type { Ajv, Manner } from './ajv';
import { fileKeyword, withFiles } from './file-keyword';
import { formValues, textsOf } from './form-values';
import { isPlainSchema } from './plain-schema';
import { integersOf, isRightWithout, namesOf, strictly, toRecord } from './text-values';

/** One thing that is wrong with a value. */
export interface ValidationError {
  /** Where, as a JSON Pointer (RFC 6901); empty for the whole. */
  readonly pointer: string;
  /** The keyword of JSON Schema that was not met. */
  readonly keyword: string;
  readonly message: string;
}

/** Checks a value; the result is the value (with defaults, and coerced where that is on) or what is wrong. */
export type Validator = (
  value: unknown,
) => { readonly value: unknown } | { readonly errors: readonly ValidationError[] };

const load = createRequire(__filename);

/** Loaded when something is first compiled: a service starts a tenth sooner without. */
const ajvs = lazily(() => load('./ajv') as typeof Instances);

function instance(manner: Manner): () => Ajv {
  return lazily(() => ajvs().ajvFor(manner));
}

/**
 * Compiles schemas to validators: of bodies, which are taken as they are, and of queries, which are text. Schemas are
 * checked at once, and compiled when something is first validated: a service of thousands of operations starts
 * without compiling any.
 */
export class Validators {
  readonly #bodies = instance({ useDefaults: true });
  readonly #dropping = instance({ useDefaults: true, removeAdditional: true });
  readonly #patches = instance({});
  readonly #droppingPatches = instance({ removeAdditional: true });
  readonly #forms = instance({ useDefaults: true, coerceTypes: 'array' });
  readonly #droppingForms = instance({ useDefaults: true, coerceTypes: 'array', removeAdditional: true });
  readonly #queries = instance({ useDefaults: true, coerceTypes: 'array' });

  /**
   * @param unknown `drop` takes away the members that the schema refuses as unknown
   * @throws Error for a schema that is none
   */
  forBody(schema: TSchema | object, unknown?: 'refuse' | 'drop'): Validator {
    return toValidator(compile(unknown === 'drop' ? this.#dropping : this.#bodies, schema));
  }

  /**
   * A validator of bodies that came as forms: text becomes the type that the schema wants, files are files.
   * @param unknown `drop` takes away the members that the schema refuses as unknown
   * @throws Error for a schema that is none
   */
  forForm(schema: TSchema | object, unknown?: 'refuse' | 'drop'): Validator {
    const validate = toValidator(compile(unknown === 'drop' ? this.#droppingForms : this.#forms, schema));
    const integers = integersOf(schema);
    return (form) => {
      const values = formValues(schema, form);
      const texts = textsOf(values);
      const checked = validate(values);
      return 'value' in checked ? strictly(texts, checked.value, integers) : checked;
    };
  }

  /** A validator of what changes an entity: it fills in no defaults. */
  forPatch(schema: TSchema | object, unknown?: 'refuse' | 'drop'): Validator {
    return toValidator(compile(unknown === 'drop' ? this.#droppingPatches : this.#patches, schema));
  }

  /** A validator of values as they are: answers, and what came back. It changes nothing. */
  asIs(schema: TSchema | object): Validator {
    return toValidator(compile(this.#patches, schema));
  }

  /**
   * A validator of query parameters, from `URLSearchParams`: text becomes the type that the schema wants, a name
   * that comes more than once a list.
   * @param unknown what to do with names that the schema does not have; what the schema says, unless told
   * @throws Error for a schema that is none
   */
  forQuery(schema: TSchema | object, unknown?: 'refuse' | 'ignore'): Validator {
    const validate = toValidator(compile(this.#queries, schema));
    const known = unknown === 'ignore' ? namesOf(schema) : undefined;
    // Of most operations nothing is ever compiled, as nobody asks them anything.
    const wantsNothing = isRightWithout(schema);
    const integers = integersOf(schema);
    return (query) => {
      if (!(query instanceof URLSearchParams)) return validate(query);
      if (query.size === 0) return wantsNothing ? { value: {} } : validate({});
      const texts = toRecord(query, known);
      // The validator changes what it is given.
      const checked = validate(toRecord(query, known));
      return 'value' in checked ? strictly(texts, checked.value, integers) : checked;
    };
  }
}

/**
 * The compiled form of a schema, made when it is first asked for. One that refers to others is compiled at once: only
 * then is it known whether they are there.
 * @throws Error for a schema that is none
 */
function compile(ajv: () => Ajv, schema: TSchema | object): () => ValidateFunction {
  let made: ValidateFunction | undefined;
  const compiled = (): ValidateFunction => (made ??= compileNow(ajv(), schema));
  if (!isPlainSchema(schema)) {
    ajvs().assertSchema(schema);
    compiled();
  }
  return compiled;
}

/** A `$id` may stand in the schemas of other versions and operations, too: once compiled, it need not be known. */
function compileNow(ajv: Ajv, schema: TSchema | object): ValidateFunction {
  if (ajv.getKeyword('x-file') === false) ajv.addKeyword(fileKeyword);
  const validate = ajv.compile(withFiles(schema));
  for (const { $id: id } of isSchema(schema) ? allSubschemas(schema) : [])
    if (typeof id === 'string') ajv.removeSchema(id);
  return validate;
}

function toValidator(compiled: () => ValidateFunction): Validator {
  return (value) => {
    const validate = compiled();
    if (validate(value)) return { value };
    return { errors: (validate.errors ?? []).map(toValidationError) };
  };
}

function toValidationError(error: ErrorObject): ValidationError {
  const { instancePath, keyword, message = 'is wrong' } = error;
  const params: Record<string, unknown> = error.params;
  const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const pointer = typeof member === 'string' ? instancePath + pointerOf([member]) : instancePath;
  return { pointer, keyword, message: explain(keyword, params, message) };
}

function explain(keyword: string, params: Record<string, unknown>, message: string): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return Array.isArray(params.type) ? `must be ${params.type.join(' or ')}` : message;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known member';
    case 'x-sort-by':
      return 'must list names that the collection can be ordered by, each once, "-" before it for falling';
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((one) => JSON.stringify(one)).join(', ')}`;
    default:
      return message;
  }
}
