import {
  type JsonObject,
  isObject,
  listOf,
  objectOf,
  allSubschemas,
  mapDiscriminator,
  mapSubschemas,
  printable,
  ConfigurationError,
  errorMessage,
} from '../../framework';
import { Validators } from '../content-validation';
import type { JsonSchema } from '../documentation';
import { childPointer } from './document/json';
import { KeywordConverter } from './document/keywords';
import type { ImportWarnings } from './import-warnings';
import { mappedReference, tokensOf, type DocumentReferences, type Subtype } from './document/references';

/** Values in the conditions of a schema's subtypes: the compilation of more takes seconds. */
const MAX_CONDITIONS = 200;

/** Schemas that are inlined into one parameter; their number can grow exponentially. */
const MAX_INLINED = 1_000;

/** Characters of JSON of all converted schemas; GitHub's description needs 5 million. */
const MAX_SCHEMA_LENGTH = 32_000_000;

/** Converts the schemas of an OpenAPI document to JSON Schema 2020-12, with shared schemas. */
export class SchemaConverter {
  readonly #references: DocumentReferences;
  readonly #warnings: ImportWarnings;
  readonly #keywords: KeywordConverter;
  /** Names of shared schemas by reference. */
  readonly #names = new Map<string, string>();

  /** References by name of the shared schema. */
  readonly #targets = new Map<string, string>();
  readonly #converted = new Map<string, JsonSchema>();
  /** Names of shared schemas that others refer to. */
  readonly #needed = new Set<string>();

  /** Characters of JSON so far. */
  #size = 0;
  readonly #validators = new Validators();
  readonly #file: string;

  /** @param file the file name, for messages */
  constructor(references: DocumentReferences, warnings: ImportWarnings, file: string) {
    this.#file = file;
    this.#references = references;
    this.#warnings = warnings;
    this.#keywords = new KeywordConverter(warnings);
  }

  /**
   * Converts a schema, with references to shared schemas.
   * @param pointer JSON Pointer of the schema
   * @throws ConfigurationError for an invalid schema, and if all schemas together are too large
   */
  convert(schema: unknown, pointer: string): JsonSchema {
    const own = this.#convert(schema, pointer);
    this.#assertSize(own, pointer);
    this.#assertValid(own, pointer);
    for (const name of namesIn(own)) this.#needed.add(name);
    return own;
  }

  /** Returns the schemas that the converted ones refer to, by name. @throws ConfigurationError as above */
  shared(): Readonly<Record<string, JsonSchema>> {
    const shared = new Map<string, JsonSchema>();
    // The set grows during iteration; each name is visited once.
    for (const name of this.#needed) {
      const pointer = this.#targets.get(name) ?? '#';
      const schema = this.#at(name);
      this.#assertSize(schema, pointer);
      shared.set(name, schema);
      for (const next of namesIn(schema)) this.#needed.add(next);
    }
    return Object.fromEntries(shared);
  }

  #at(name: string): JsonSchema {
    const known = this.#converted.get(name);
    if (known !== undefined) return known;
    const target = this.#targets.get(name) ?? '#';
    const converted = this.#convert(this.#references.at(target), target);
    this.#assertValid(converted, target);
    this.#converted.set(name, converted);
    return converted;
  }

  /** Warns about schemas of the document that nothing refers to. */
  warnAboutUnused(declared: JsonObject, pointer: string): void {
    const used = new Set([...this.#names.keys()].map((reference) => this.#references.at(reference)));
    for (const [name, schema] of Object.entries(declared))
      if (!used.has(schema)) this.#warnings.add('unused schema', childPointer(pointer, name));
  }

  #assertSize(schema: JsonSchema, pointer: string): void {
    this.#size += JSON.stringify(schema).length;
    if (this.#size <= MAX_SCHEMA_LENGTH) return;
    throw new ConfigurationError(
      printable(
        `${this.#file} exceeds ${MAX_SCHEMA_LENGTH / 1_000_000} MB of converted schemas at ${pointer}: the schemas of parameters are inlined. Remove paths, or references in the schemas of parameters, and import again.`,
      ),
    );
  }

  /** References are known to resolve. @throws ConfigurationError for a schema that does not compile */
  #assertValid(schema: JsonSchema, pointer: string): void {
    try {
      this.#validators.asIs(withoutReferences(schema));
    } catch (error) {
      const reason = errorMessage(error);
      throw new ConfigurationError(
        printable(`${this.#file}: the schema at ${pointer} cannot be used: ${reason}.`),
        { cause: error },
      );
    }
  }

  /** Converts a schema with its references inlined; recursive parts become schemas that accept any value. */
  convertInlined(schema: unknown, pointer: string): JsonSchema {
    const own = this.#convert(schema, pointer);
    this.#assertValid(own, pointer);
    const flat = this.#inlined(own, pointer, [], { count: MAX_INLINED });
    this.#assertSize(flat, pointer);
    return flat;
  }

  #inlined(
    schema: JsonSchema,
    pointer: string,
    ancestors: readonly string[],
    budget: { count: number },
  ): JsonSchema {
    const { $ref: reference, ...siblings } = withoutMapping(schema);
    const inner = mapSubschemas(siblings, (one) => this.#inlined(one, pointer, ancestors, budget));
    if (typeof reference !== 'string') return inner;
    if (ancestors.includes(reference)) {
      this.#warnings.add('recursive part of a parameter schema', pointer);
      return inner;
    }
    budget.count -= 1;
    if (budget.count < 0) {
      this.#warnings.add('part of a parameter schema (too many references)', pointer);
      return inner;
    }
    const target = this.#at(nameIn(reference));
    return { ...this.#inlined(target, pointer, [...ancestors, reference], budget), ...inner };
  }

  #convert(schema: unknown, pointer: string): JsonSchema {
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return {};
    const { $ref: reference, ...rest } = schema;
    const keywords = this.#keywords.convert(rest, pointer);
    const own = {
      ...mapSubschemas(keywords, (inner, ...steps) =>
        this.#convert(inner, steps.reduce(childPointer, pointer)),
      ),
      ...mapDiscriminator(keywords, (to, ...steps) => this.#mapped(to, steps.reduce(childPointer, pointer))),
    };
    if (typeof reference === 'string') return { $ref: SHARED + this.#nameOf(reference), ...own };
    return this.#withSubtypes(schema, own, pointer);
  }

  /**
   * Adds the schemas that extend a schema with a discriminator by `allOf` (OpenAPI 3.1.1, 4.8.24.1): to its mapping, by
   * their names, and what they declare under the condition that a value has the name or a mapped value of such a schema.
   * @param own the converted schema
   */
  #withSubtypes(schema: JsonObject, own: JsonSchema, pointer: string): JsonSchema {
    const { discriminator, allOf, oneOf, anyOf } = own;
    const { propertyName } = objectOf(discriminator);
    const subtypes = this.#references.subtypesOf(schema);
    // A union lists its schemas itself.
    if (
      typeof propertyName !== 'string' ||
      subtypes.length === 0 ||
      oneOf !== undefined ||
      anyOf !== undefined
    )
      return own;
    const mapping = objectOf(objectOf(discriminator).mapping);
    const targetOf = ({ reference }: Subtype): string => SHARED + this.#nameOf(reference);
    const valuesOf = (one: Subtype): readonly string[] => {
      const target = targetOf(one);
      const mapped = Object.keys(mapping).filter((value) => mapping[value] === target);
      return Object.hasOwn(mapping, one.name) ? mapped : [...mapped, one.name];
    };
    const named = Object.fromEntries(
      subtypes
        .filter((one) => !Object.values(mapping).includes(targetOf(one)))
        .map((one) => [one.name, targetOf(one)]),
    );
    const mapped = {
      ...own,
      discriminator: { ...objectOf(discriminator), mapping: { ...named, ...mapping } },
    };
    const belowEach = subtypes.map((one) => [one, ...this.#references.subtypesOf(one.schema)]);
    if (belowEach.reduce((sum, below) => sum + below.length, 0) > MAX_CONDITIONS) {
      this.#warnings.add('members of many subtypes (they are not checked)', pointer);
      return mapped;
    }
    const values = new Map(subtypes.map((one) => [one.reference, valuesOf(one)]));
    const family = new Set([schema, ...subtypes.map((one) => one.schema)]);
    const conditions = subtypes.map((one, at) => {
      const all = new Set(belowEach[at]?.flatMap(({ reference }) => values.get(reference) ?? []));
      return {
        if: { properties: { [propertyName]: { enum: [...all] } }, required: [propertyName] },
        then: this.#ownPart(one, family),
      };
    });
    return { ...mapped, allOf: [...listOf(allOf), ...conditions] };
  }

  /** Converts what a schema declares besides the schemas of its family that it extends. */
  #ownPart({ schema, reference }: Subtype, family: ReadonlySet<unknown>): JsonSchema {
    const isForeign = (part: unknown): boolean => {
      const { $ref: to } = objectOf(part);
      return typeof to !== 'string' || !family.has(this.#references.at(to));
    };
    // Members of the family are unevaluated in a part of it.
    const { discriminator: _, unevaluatedProperties: __, title: ___, description: ____, ...rest } = schema;
    const others = listOf(schema.allOf).filter(isForeign);
    const { allOf, ...converted } = this.#convert({ ...rest, allOf: others }, reference);
    return others.length === 0 ? converted : { ...converted, allOf };
  }

  /** Returns the shared schema of an entry in a discriminator's mapping. */
  #mapped(to: string, pointer: string): string | undefined {
    const reference = mappedReference(to);
    if (this.#references.at(reference) !== undefined) return SHARED + this.#nameOf(reference);
    this.#warnings.add('entry of a discriminator mapping without a schema', pointer);
    return undefined;
  }

  #nameOf(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const last = (tokensOf(reference).at(-1) ?? '').replace(/[^\w.-]/g, '_');
    // An object cannot have a member of this name.
    const base = last === '__proto__' ? 'Schema' : last || 'Schema';
    let name = base;
    for (let count = 2; this.#targets.has(name); count += 1) name = `${base}_${count}`;
    this.#names.set(reference, name);
    this.#targets.set(name, reference);
    return name;
  }
}

/** Prefix of references to schemas that the operations of a version share. */
const SHARED = '#/schemas/';

function nameIn(reference: string): string {
  return reference.slice(SHARED.length);
}

/** Returns the names of the shared schemas that a schema refers to. */
function namesIn(schema: JsonSchema): readonly string[] {
  return allSubschemas(schema).flatMap((one) => {
    const mapped: string[] = [];
    mapDiscriminator(one, (to) => mapped.push(nameIn(to)));
    return typeof one.$ref === 'string' ? [nameIn(one.$ref), ...mapped] : mapped;
  });
}

/** Inlined schemas have no names that a discriminator could refer to. */
function withoutMapping(schema: JsonSchema): JsonSchema {
  const { discriminator } = schema;
  if (!isObject(discriminator)) return schema;
  const { mapping: _, ...rest } = discriminator;
  return { ...schema, discriminator: rest };
}

function withoutReferences({ $ref: _, ...schema }: JsonSchema): JsonSchema {
  return mapSubschemas(schema, withoutReferences);
}
