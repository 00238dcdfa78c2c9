import type { TSchema } from '@sinclair/typebox';
import {
  hasKeyword,
  isSchema,
  lazily,
  withDefinitions,
  type Definitions,
  type SchemaNode,
  errorMessage,
  isInherited,
  ownMembers,
} from '../../framework';
import { parseJsonField, type BodyLimits } from '../content-negotiation';
import type { ValidationMode } from './compile/ajv';
import { copyOf, toValidator, withoutUnknown } from './compiled-validator';
import { ROUNDED } from './error-messages';
import { clearedMembers, formValidator, formValues, structuredMembers, textsOf } from './form-values';
import { compileQueryReader, type QueryReader } from './query-reader/query-reader';
import { assertSchema, SchemaCompiler } from './compile/schema-compiler';
import { SharedDefinitions } from './compile/shared-definitions';
import { integersOf, acceptsEmpty, propertyNames, checkNumbers, nameRepeated, toRecord } from './text-values';
import { splitMixedUnions, unionValidator } from './union-values';
import type { Validator } from './validator';

/** How forms are validated. */
interface FormOptions {
  /** Whether no defaults are added; defaults to false. */
  readonly isPatch?: boolean;
  /** Of the JSON of a field. With exact numbers, those that are not doubles are errors, in texts too. */
  readonly limits?: BodyLimits;
}

/**
 * Creates validators from schemas: of bodies, which are not coerced, and of queries and forms, which are text.
 * Schemas are verified immediately, but compiled on first use, so that a service of thousands of operations starts
 * quickly.
 */
export class Validators {
  readonly #bodies: SchemaCompiler;
  readonly #patches: SchemaCompiler;
  readonly #forms: SchemaCompiler;
  readonly #formPatches: SchemaCompiler;
  readonly #queries: SchemaCompiler;
  readonly #withoutParameters = new Map<string, Validator>();
  readonly #shared: SharedDefinitions;

  /** @param definitions definitions that schemas have in common: see {@link withDefinitions} */
  constructor(definitions: Definitions = {}) {
    const shared = new SharedDefinitions(definitions);
    const compiler = (mode: ValidationMode): SchemaCompiler => new SchemaCompiler(mode, shared);
    this.#shared = shared;
    this.#bodies = compiler({ useDefaults: true });
    this.#patches = compiler({});
    this.#forms = compiler({ useDefaults: true, coerceTypes: 'array' });
    this.#formPatches = compiler({ coerceTypes: 'array' });
    this.#queries = compiler({ useDefaults: true, coerceTypes: 'array' });
  }

  /**
   * Returns validators for schemas with common definitions, which are compiled once: wherever the same object has the
   * same name in the `$defs` of a schema.
   * @throws Error for an invalid definition
   */
  withDefinitions(definitions: Definitions): Validators {
    const validators = new Validators(definitions);
    const unverified = validators.#shared.findUnverified();
    for (const name of unverified) withName(name, () => assertSchema(definitions[name] ?? {}));
    const whole = (name: string): object => withDefinitions({ $ref: `#/$defs/${name}` }, definitions);
    for (const name of unverified) withName(name, () => validators.#patches.compileShared(name, whole(name)));
    return validators;
  }

  /**
   * @param unknown `drop` removes the members that no part of the schema declares
   * @throws Error for an invalid schema
   */
  forBody(schema: TSchema | object, unknown?: 'refuse' | 'drop'): Validator {
    return withoutUnknown(schema, unknown, toValidator(this.#bodies.compile(schema)));
  }

  /**
   * Returns a validator of form bodies: text is converted to the declared types, and empty fields to null where no text
   * may be empty. Fields that are parsed JSON are not converted.
   * @param unknown as for {@link forBody}
   * @throws Error for an invalid schema
   */
  forForm(
    schema: TSchema | object,
    unknown?: 'refuse' | 'drop',
    { isPatch = false, limits = {} }: FormOptions = {},
  ): Validator {
    const [texts, bodies] = isPatch ? [this.#formPatches, this.#patches] : [this.#forms, this.#bodies];
    const validateForm = formValidator(
      schema,
      (part) => this.#textValidator(texts, part),
      lazily(() => toValidator(bodies.compile(schema))),
    );
    const validate = withoutUnknown(schema, unknown, validateForm);
    const integers = integersOf(schema);
    const { $defs }: SchemaNode = { ...schema };
    const cleared = lazily(() =>
      clearedMembers(
        schema,
        (member) => 'errors' in this.asIs({ ...member, ...($defs === undefined ? {} : { $defs }) })(''),
      ),
    );
    const structured = lazily(() => structuredMembers(schema));
    return (form) => {
      const rounded: string[] = [];
      const values = formValues(schema, form, {
        cleared: cleared(),
        structured: structured(),
        parse: (text, pointer) => parseJsonField(text, limits, pointer, rounded),
      });
      const sent = textsOf(values);
      const checked = validate(values);
      if ('errors' in checked) return { errors: nameRepeated({ ...(form as object) }, checked.errors) };
      if (rounded.length > 0)
        return { errors: rounded.map((pointer) => ({ pointer, keyword: 'precision', message: ROUNDED })) };
      return checkNumbers(sent, checked.value, integers, limits.exactNumbers);
    };
  }

  /** Returns a validator of patches, which adds no defaults. @param unknown as for {@link forBody} */
  forPatch(schema: TSchema | object, unknown?: 'refuse' | 'drop'): Validator {
    return withoutUnknown(schema, unknown, toValidator(this.#patches.compile(schema)));
  }

  /** Returns a validator that does not modify values, for example of responses. */
  asIs(schema: TSchema | object): Validator {
    return toValidator(this.#patches.compile(schema));
  }

  /**
   * Returns a validator of `URLSearchParams`: text is converted to the declared types, and repeated names to lists.
   * @param unknown what to do with unknown names; defaults to what the schema says
   * @throws Error for an invalid schema
   */
  forQuery(schema: TSchema | object, unknown?: 'refuse' | 'ignore'): Validator {
    if (propertyNames(schema).length > 0) return this.#forQuery(schema, unknown);
    // Operations without parameters share a validator.
    const key = `${unknown ?? ''} ${JSON.stringify(schema)}`;
    const known = this.#withoutParameters.get(key) ?? this.#forQuery(schema, unknown);
    this.#withoutParameters.set(key, known);
    return known;
  }

  #forQuery(schema: TSchema | object, unknown?: 'refuse' | 'ignore'): Validator {
    const validate = this.#textValidator(this.#queries, schema);
    const known = unknown === 'ignore' ? propertyNames(schema) : undefined;
    // Most operations declare no required parameters; nothing is compiled for requests without a query.
    const allowsEmpty = acceptsEmpty(schema);
    const integers = lazily(() => integersOf(schema));
    const own = ownMembers(propertyNames(schema));
    return (query) => {
      if (!(query instanceof URLSearchParams)) return validate(query);
      if (query.size === 0) return allowsEmpty ? { value: own({}) } : validate({});
      const texts = toRecord(query, known);
      // The validator modifies its argument.
      const checked = validate(copyOf(texts));
      return 'value' in checked
        ? checkNumbers(texts, own(Object(checked.value) as object), integers())
        : { errors: nameRepeated(texts, checked.errors) };
    };
  }

  /**
   * Returns a function that reads most valid queries as the validator of {@link forQuery} does, in a fraction of the
   * time; undefined for a query without parameters. It is compiled for the first request with a query.
   * @param unknown as for {@link forQuery}
   */
  queryReader(schema: TSchema | object, unknown?: 'refuse' | 'ignore'): QueryReader | undefined {
    const names = propertyNames(schema);
    // The validator makes members of these names the query's own.
    if (names.length === 0 || names.some(isInherited)) return undefined;
    const compiled = lazily(() =>
      compileQueryReader(schema, {
        ignoresUnknown: unknown === 'ignore',
        compile: (values) => this.#bodies.compile(values)().accepts,
      }),
    );
    const allowsEmpty = acceptsEmpty(schema);
    return (query) => (query === '' && allowsEmpty ? {} : compiled()?.(query));
  }

  /** Returns a validator that converts text to the declared types; for unions, see {@link unionValidator}. */
  #textValidator(compiler: SchemaCompiler, schema: TSchema | object): Validator {
    // A part without references is as valid as the whole.
    const isVerified =
      isSchema(schema) && !hasKeyword(schema, '$ref') && this.#shared.isObviouslyValid(schema);
    if (!isVerified) return this.#splitValidator(compiler, schema);
    const validator = lazily(() => this.#splitValidator(compiler, schema));
    return (value) => validator()(value);
  }

  #splitValidator(compiler: SchemaCompiler, schema: TSchema | object): Validator {
    const split = splitMixedUnions(schema);
    if (split === undefined) return toValidator(compiler.compile(schema));
    return unionValidator(split, toValidator(compiler.compile(split.others)), this.asIs(split.unions));
  }
}

/** Adds the name of the definition to errors. */
function withName(name: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(`the schema "${name}" cannot be used: ${reason}`, { cause: error });
  }
}
