import type { TSchema } from '@sinclair/typebox';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020';
import { formatPointer, withDefinitions } from '../../framework';
import type { ValidationMode } from './ajv';
import { formValues, textsOf } from './form-values';
import { mergeLiteralUnionErrors } from './literal-unions';
import { assertSchema, SchemaCompiler } from './schema-compiler';
import { SharedDefinitions, type Definitions } from './shared-definitions';
import { integersOf, acceptsEmpty, propertyNames, checkNumbers, toRecord } from './text-values';
import { splitMixedUnions, unionValidator } from './union-values';

/** The message of members that the schema does not allow. */
export const UNKNOWN_MEMBER = 'unknown member';

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

/**
 * Compiles schemas to validators: of bodies, which are taken as they are, and of queries, which are text. Schemas are
 * checked at once, and compiled when something is first validated: a service of thousands of operations starts
 * without compiling any.
 */
export class Validators {
  readonly #bodies: SchemaCompiler;
  readonly #dropping: SchemaCompiler;
  readonly #patches: SchemaCompiler;
  readonly #droppingPatches: SchemaCompiler;
  readonly #forms: SchemaCompiler;
  readonly #droppingForms: SchemaCompiler;
  readonly #queries: SchemaCompiler;
  readonly #withoutParameters = new Map<string, Validator>();
  readonly #shared: SharedDefinitions;

  /** @param definitions those that schemas have in common: see {@link withDefinitions} */
  constructor(definitions: Definitions = {}) {
    const shared = new SharedDefinitions(definitions);
    const compiler = (manner: ValidationMode): SchemaCompiler => new SchemaCompiler(manner, shared);
    this.#shared = shared;
    this.#bodies = compiler({ useDefaults: true });
    this.#dropping = compiler({ useDefaults: true, removeAdditional: true });
    this.#patches = compiler({});
    this.#droppingPatches = compiler({ removeAdditional: true });
    this.#forms = compiler({ useDefaults: true, coerceTypes: 'array' });
    this.#droppingForms = compiler({ useDefaults: true, coerceTypes: 'array', removeAdditional: true });
    this.#queries = compiler({ useDefaults: true, coerceTypes: 'array' });
  }

  /**
   * Validators of schemas that have definitions in common, each of which is compiled once for all of them: wherever the
   * same object stands under the same name in the `$defs` of a schema.
   * @throws Error for a definition that is no schema
   */
  withDefinitions(definitions: Definitions): Validators {
    const validators = new Validators(definitions);
    const unclear = validators.#shared.findUnverified();
    for (const name of unclear) named(name, () => assertSchema(definitions[name] ?? {}));
    const whole = (name: string): object => withDefinitions({ $ref: `#/$defs/${name}` }, definitions);
    for (const name of unclear) named(name, () => validators.#patches.compileShared(name, whole(name)));
    return validators;
  }

  /**
   * @param unknown `drop` takes away the members that the schema refuses as unknown
   * @throws Error for a schema that is none
   */
  forBody(schema: TSchema | object, unknown?: 'refuse' | 'drop'): Validator {
    return toValidator((unknown === 'drop' ? this.#dropping : this.#bodies).compile(schema));
  }

  /**
   * A validator of bodies that came as forms: text becomes the type that the schema wants, files are files.
   * @param unknown `drop` takes away the members that the schema refuses as unknown
   * @throws Error for a schema that is none
   */
  forForm(schema: TSchema | object, unknown?: 'refuse' | 'drop'): Validator {
    const validate = this.#ofTexts(unknown === 'drop' ? this.#droppingForms : this.#forms, schema);
    const integers = integersOf(schema);
    return (form) => {
      const values = formValues(schema, form);
      const texts = textsOf(values);
      const checked = validate(values);
      return 'value' in checked ? checkNumbers(texts, checked.value, integers) : checked;
    };
  }

  /** A validator of what changes an entity: it fills in no defaults. */
  forPatch(schema: TSchema | object, unknown?: 'refuse' | 'drop'): Validator {
    return toValidator((unknown === 'drop' ? this.#droppingPatches : this.#patches).compile(schema));
  }

  /** A validator of values as they are: answers, and what came back. It changes nothing. */
  asIs(schema: TSchema | object): Validator {
    return toValidator(this.#patches.compile(schema));
  }

  /**
   * A validator of query parameters, from `URLSearchParams`: text becomes the type that the schema wants, a name
   * that comes more than once a list.
   * @param unknown what to do with names that the schema does not have; what the schema says, unless told
   * @throws Error for a schema that is none
   */
  forQuery(schema: TSchema | object, unknown?: 'refuse' | 'ignore'): Validator {
    if (propertyNames(schema).length > 0) return this.#forQuery(schema, unknown);
    // Most operations want nothing of a query: one validator will do for them.
    const key = `${unknown ?? ''} ${JSON.stringify(schema)}`;
    const known = this.#withoutParameters.get(key) ?? this.#forQuery(schema, unknown);
    this.#withoutParameters.set(key, known);
    return known;
  }

  #forQuery(schema: TSchema | object, unknown?: 'refuse' | 'ignore'): Validator {
    const validate = this.#ofTexts(this.#queries, schema);
    const known = unknown === 'ignore' ? propertyNames(schema) : undefined;
    // Of most operations nothing is ever compiled, as nobody asks them anything.
    const wantsNothing = acceptsEmpty(schema);
    const integers = integersOf(schema);
    return (query) => {
      if (!(query instanceof URLSearchParams)) return validate(query);
      if (query.size === 0) return wantsNothing ? { value: {} } : validate({});
      const texts = toRecord(query, known);
      // The validator changes what it is given.
      const checked = validate(toRecord(query, known));
      return 'value' in checked ? checkNumbers(texts, checked.value, integers) : checked;
    };
  }

  /** A validator that turns text into the type that the schema wants; where it wants one of several, see unionValidator. */
  #ofTexts(compiler: SchemaCompiler, schema: TSchema | object): Validator {
    const split = splitMixedUnions(schema);
    if (split === undefined) return toValidator(compiler.compile(schema));
    return unionValidator(split, toValidator(compiler.compile(split.others)), this.asIs(split.unions));
  }
}

/** @throws Error that says which definition it is about */
function named(name: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the schema "${name}" cannot be used: ${reason}`, { cause: error });
  }
}

function toValidator(compiled: () => ValidateFunction): Validator {
  return (value) => {
    const validate = compiled();
    if (validate(value)) return { value };
    return { errors: mergeLiteralUnionErrors(validate.errors ?? []).map(toValidationError) };
  };
}

function toValidationError(error: ErrorObject): ValidationError {
  const { instancePath, keyword, message = 'is wrong' } = error;
  const params: Record<string, unknown> = error.params;
  const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const pointer = typeof member === 'string' ? instancePath + formatPointer([member]) : instancePath;
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
      return UNKNOWN_MEMBER;
    case 'x-read-only':
      return 'is read-only';
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((one) => JSON.stringify(one)).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'oneOf':
      return Array.isArray(params.passingSchemas) ? 'fits more than one of the schemas in oneOf' : message;
    default:
      return message;
  }
}
