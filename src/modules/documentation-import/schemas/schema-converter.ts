import {
  type JsonObject,
  isObject,
  inlinedSchema,
  mapDiscriminator,
  mapSubschemas,
  printable,
  ConfigurationError,
  ConfigurationErrors,
  errorMessage,
} from '../../../framework';
import { Validators } from '../../content-validation';
import type { JsonSchema } from '../../documentation';
import { childPointer } from '../document/json';
import { withValidDefaults, withValidText, type DefaultParts } from './defaults';
import { KeywordConverter, withNull } from '../document/keywords';
import type { ImportWarnings } from '../import-warnings';
import { mappedReference, type DocumentReferences } from '../document/references';
import { SharedNames, sharedNameIn, sharedNamesIn } from './shared-names';
import { withSubtypes, type SubtypeParts } from './subtypes';

/** Characters of JSON of all converted schemas; GitHub's description needs 5 million. */
const MAX_SCHEMA_LENGTH = 32_000_000;

/** Shared schemas with defaults of which one needs the next; limits recursion. */
const MAX_DEPTH = 50;

/** Converts the schemas of an OpenAPI document to JSON Schema 2020-12, with shared schemas. */
export class SchemaConverter {
  readonly #references: DocumentReferences;
  readonly #warnings: ImportWarnings;
  readonly #keywords: KeywordConverter;
  readonly #names = new SharedNames();
  readonly #converted = new Map<string, JsonSchema>();
  /** With valid defaults. */
  readonly #valid = new Map<string, JsonSchema>();
  /** Shared schemas whose defaults are being checked. */
  #depth = 0;
  /** Names of shared schemas that others refer to. */
  readonly #needed = new Set<string>();

  /** Characters of JSON so far. */
  #size = 0;
  readonly #validators = new Validators();
  readonly #file: string;
  readonly #subtypes: SubtypeParts;
  readonly #defaults: DefaultParts;
  /** Of all schemas, so that they can be corrected at once. */
  readonly #errors = new ConfigurationErrors();

  /** @param file the file name, for messages */
  constructor(references: DocumentReferences, warnings: ImportWarnings, file: string) {
    this.#file = file;
    this.#references = references;
    this.#warnings = warnings;
    this.#keywords = new KeywordConverter(warnings);
    this.#subtypes = {
      references,
      warnings,
      targetOf: ({ reference }) => this.#names.referenceTo(reference),
      convert: (schema, pointer) => this.#convert(schema, pointer),
    };
    this.#defaults = {
      warnings,
      validators: this.#validators,
      targetOf: (reference) => this.#withValidDefaults(sharedNameIn(reference)),
    };
  }

  /**
   * Converts a schema, with references to shared schemas.
   * @param pointer JSON Pointer of the schema
   * @throws ConfigurationError if all schemas together are too large
   */
  convert(schema: unknown, pointer: string): JsonSchema {
    const converted = this.#checked(this.#convert(schema, pointer), pointer);
    this.#assertSize(converted, pointer);
    for (const name of sharedNamesIn(converted)) this.#needed.add(name);
    return withValidDefaults(converted, pointer, this.#defaults);
  }

  /**
   * Returns the schemas that the converted ones refer to, by name.
   * @throws ConfigurationError for all invalid schemas so far, and if all schemas together are too large
   */
  shared(): Readonly<Record<string, JsonSchema>> {
    const shared = new Map<string, JsonSchema>();
    // The set grows during iteration; each name is visited once.
    for (const name of this.#needed) {
      const pointer = this.#names.targetOf(name);
      const schema = this.#at(name);
      this.#assertSize(schema, pointer);
      shared.set(name, this.#withValidDefaults(name));
      for (const next of sharedNamesIn(schema)) this.#needed.add(next);
    }
    this.#errors.assertNone();
    return Object.fromEntries(shared);
  }

  #at(name: string): JsonSchema {
    const known = this.#converted.get(name);
    if (known !== undefined) return known;
    const target = this.#names.targetOf(name);
    const converted = this.#checked(this.#convert(this.#references.at(target), target), target);
    this.#converted.set(name, converted);
    return converted;
  }

  /** Returns a shared schema with valid defaults; as it is while it is checked, and if too many others are. */
  #withValidDefaults(name: string): JsonSchema {
    const known = this.#valid.get(name);
    if (known !== undefined) return known;
    const schema = this.#at(name);
    if (this.#depth >= MAX_DEPTH) return schema;
    this.#depth += 1;
    this.#valid.set(name, schema);
    const valid = withValidDefaults(schema, this.#names.targetOf(name), this.#defaults);
    this.#valid.set(name, valid);
    this.#depth -= 1;
    return valid;
  }

  /** Warns about schemas of the document that nothing refers to. */
  warnAboutUnused(declared: JsonObject, pointer: string): void {
    const used = new Set([...this.#names.references()].map((reference) => this.#references.at(reference)));
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

  /** Returns a schema that does not compile as one that accepts any value, and collects its error. */
  #checked(schema: JsonSchema, pointer: string): JsonSchema {
    return (
      this.#errors.collect(() => {
        this.#assertValid(schema, pointer);
        return schema;
      }) ?? {}
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
    const own = this.#checked(this.#convert(schema, pointer), pointer);
    const flat = inlinedSchema(
      withoutMappings(own),
      (reference) => withoutMappings(this.#at(sharedNameIn(reference))),
      (_, isRecursive) => {
        const what = isRecursive
          ? 'recursive part of a parameter schema'
          : 'part of a parameter schema (too many references)';
        this.#warnings.add(what, pointer);
        return {};
      },
    );
    this.#assertSize(flat, pointer);
    return this.withValidText(flat, pointer);
  }

  /** Returns the schema of a parameter, which is read as a text, without a default that it does not accept. */
  withValidText(schema: JsonSchema, pointer: string): JsonSchema {
    return withValidText(schema, pointer, this.#defaults);
  }

  #convert(schema: unknown, pointer: string): JsonSchema {
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return {};
    const { nullable, ...target } = schema;
    // Documents of OpenAPI 3.0 write it next to references, too.
    if (nullable === true && typeof schema.$ref === 'string') return withNull(this.#convert(target, pointer));
    const { $ref: reference, ...rest } = schema;
    const keywords = this.#keywords.convert(rest, pointer);
    const own = {
      ...mapSubschemas(keywords, (inner, ...steps) =>
        this.#convert(inner, steps.reduce(childPointer, pointer)),
      ),
      ...mapDiscriminator(keywords, (to, ...steps) => this.#mapped(to, steps.reduce(childPointer, pointer))),
    };
    if (typeof reference === 'string') return { $ref: this.#names.referenceTo(reference), ...own };
    return withSubtypes(schema, own, pointer, this.#subtypes);
  }

  /** Returns the shared schema of an entry in a discriminator's mapping. */
  #mapped(to: string, pointer: string): string | undefined {
    const reference = mappedReference(to);
    if (this.#references.at(reference) !== undefined) return this.#names.referenceTo(reference);
    this.#warnings.add('entry of a discriminator mapping without a schema', pointer);
    return undefined;
  }
}

/** Inlined schemas have no names that a discriminator could refer to. */
function withoutMappings(schema: JsonSchema): JsonSchema {
  const own = mapSubschemas(schema, withoutMappings);
  if (!isObject(own.discriminator)) return own;
  const { mapping: _, ...discriminator } = own.discriminator;
  return { ...own, discriminator };
}

function withoutReferences({ $ref: _, ...schema }: JsonSchema): JsonSchema {
  return mapSubschemas(schema, withoutReferences);
}
