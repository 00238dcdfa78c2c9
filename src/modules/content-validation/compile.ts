import type { TSchema } from '@sinclair/typebox';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

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

/** Compiles schemas to validators: of bodies, which are taken as they are, and of queries, which are text. */
export class Validators {
  readonly #bodies = addFormats(new Ajv2020({ allErrors: true, useDefaults: true, strict: false }));
  readonly #patches = addFormats(new Ajv2020({ allErrors: true, strict: false }));
  readonly #queries = addFormats(
    new Ajv2020({ allErrors: true, useDefaults: true, coerceTypes: 'array', strict: false }),
  );

  /** @throws Error for a schema that is none */
  forBody(schema: TSchema | object): Validator {
    return toValidator(compile(this.#bodies, schema));
  }

  /** A validator of what changes an entity: it fills in no defaults. */
  forPatch(schema: TSchema | object): Validator {
    return toValidator(compile(this.#patches, schema));
  }

  /**
   * A validator of query parameters, from `URLSearchParams`: text becomes the type that the schema wants, a name
   * that comes more than once a list.
   * @throws Error for a schema that is none
   */
  forQuery(schema: TSchema | object): Validator {
    const validate = toValidator(compile(this.#queries, schema));
    return (query) => validate(query instanceof URLSearchParams ? toRecord(query) : query);
  }
}

/** A schema's `$id` may stand in those of other versions and operations: once compiled, it need not be known. */
function compile(ajv: ReturnType<typeof addFormats>, schema: TSchema | object): ValidateFunction {
  const validate = ajv.compile(schema);
  if ('$id' in schema && typeof schema.$id === 'string') ajv.removeSchema(schema.$id);
  return validate;
}

function toValidator(validate: ValidateFunction): Validator {
  return (value) => {
    if (validate(value)) return { value };
    return { errors: (validate.errors ?? []).map(toValidationError) };
  };
}

function toValidationError(error: ErrorObject): ValidationError {
  const { instancePath, keyword, message = 'is wrong' } = error;
  const params: Record<string, unknown> = error.params;
  const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const pointer = typeof member === 'string' ? `${instancePath}/${escapePointer(member)}` : instancePath;
  return { pointer, keyword, message: explain(keyword, params, message) };
}

function explain(keyword: string, params: Record<string, unknown>, message: string): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known member';
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((one) => JSON.stringify(one)).join(', ')}`;
    default:
      return message;
  }
}

function escapePointer(member: string): string {
  return member.replace(/~/g, '~0').replace(/\//g, '~1');
}

function toRecord(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
