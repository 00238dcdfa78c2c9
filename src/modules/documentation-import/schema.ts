import { fullFormats } from 'ajv-formats/dist/formats';
import { mapSubschemas, printable, StartError } from '../../framework';
import { Validators } from '../content-validation';
import type { JsonSchema } from '../documentation';
import { below, isObject } from './json';
import type { Losses } from './losses';
import { limit, withNull } from './older-keywords';
import { Patterns } from './patterns';
import { tokensOf, type References } from './references';

/** Members of OpenAPI's schemas that JSON Schema does not know. */
const OF_OPENAPI: readonly string[] = ['discriminator', 'xml', 'externalDocs'];

/** Members by which one schema may be a document of its own; here it is part of another. */
const OF_DOCUMENTS: readonly string[] = [
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$vocabulary',
  '$comment',
];

const MAY_BE_NULL: readonly string[] = ['default', 'const', 'example'];

/** Schemas that one parameter may refer to, all together: each may refer to several, so that they multiply. */
const MOST_INLINED = 1_000;

/** Characters of JSON that all schemas of one document may become; GitHub's description becomes 11 million. */
const MOST_WRITTEN = 32_000_000;

/** Makes JSON Schemas (2020-12), each complete in itself, of the schemas of an OpenAPI document. */
export class Schemas {
  readonly #references: References;
  readonly #losses: Losses;
  readonly #patterns: Patterns;
  /** Of references: the names of their definitions. */
  readonly #names = new Map<string, string>();

  /** Of these names: the references, and what stands there. */
  readonly #targets = new Map<string, string>();
  readonly #definitions = new Map<string, JsonSchema>();

  /** Characters of JSON that were made so far. */
  #size = 0;
  readonly #validators = new Validators();
  readonly #file: string;

  /** @param file how messages name the document */
  constructor(references: References, losses: Losses, file: string) {
    this.#file = file;
    this.#references = references;
    this.#losses = losses;
    this.#patterns = new Patterns(losses);
  }

  /**
   * With its definitions inside, so that it may hold itself.
   * @param pointer where it stands
   * @throws StartError for one that is none, and where all together are too large
   */
  complete(schema: unknown, pointer: string): JsonSchema {
    const whole = this.#whole(schema, pointer);
    this.#assertSize(whole, pointer);
    this.#assertRight(whole, pointer);
    return whole;
  }

  /** Each holds all that it leads to, so that schemas that lead to one another multiply. */
  #assertSize(schema: JsonSchema, pointer: string): void {
    this.#size += JSON.stringify(schema).length;
    if (this.#size <= MOST_WRITTEN) return;
    const count = isObject(schema.$defs) ? Object.keys(schema.$defs).length : 0;
    throw new StartError(
      printable(
        `${this.#file} would become more than ${MOST_WRITTEN / 1_000_000} MB of schemas, as each body and each answer holds all the schemas that it leads to: that at ${pointer} holds ${count}. Take paths out of the document, or references out of its schemas, and import again.`,
      ),
    );
  }

  #whole(schema: unknown, pointer: string): JsonSchema {
    const root = this.#converted(...this.#root(schema, pointer));
    const definitions = new Map<string, JsonSchema>();
    this.#collect(root, definitions);
    return definitions.size === 0 ? root : { ...root, $defs: Object.fromEntries(definitions) };
  }

  /** @throws StartError for a schema that nothing could be checked by */
  #assertRight(schema: JsonSchema, pointer: string): void {
    try {
      this.#validators.asIs(schema);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const said = reason.replace(/^schema is invalid: /, '').replaceAll('data/', '/');
      throw new StartError(printable(`${this.#file}: the schema at ${pointer} cannot be used: ${said}.`), {
        cause: error,
      });
    }
  }

  /** Without definitions: references are replaced by what they lead to, and one that leads back by anything. */
  flat(schema: unknown, pointer: string): JsonSchema {
    const whole = this.#whole(schema, pointer);
    this.#assertRight(whole, pointer);
    const { $defs: definitions, ...root } = whole;
    const left = { count: MOST_INLINED };
    const flat = this.#inlined(root, isObject(definitions) ? definitions : {}, pointer, [], left);
    this.#assertSize(flat, pointer);
    return flat;
  }

  #inlined(
    schema: JsonSchema,
    definitions: JsonSchema,
    pointer: string,
    around: readonly string[],
    left: { count: number },
  ): JsonSchema {
    const { $ref: reference, ...beside } = schema;
    const inner = mapSubschemas(beside, (one) => this.#inlined(one, definitions, pointer, around, left));
    if (typeof reference !== 'string') return inner;
    if (around.includes(reference)) {
      this.#losses.note('what a parameter holds of itself', pointer);
      return inner;
    }
    left.count -= 1;
    if (left.count < 0) {
      this.#losses.note('what a parameter holds of others, as it is too much', pointer);
      return inner;
    }
    const target = definitions[reference.replace('#/$defs/', '')];
    const within = [...around, reference];
    const written = this.#inlined(isObject(target) ? target : {}, definitions, pointer, within, left);
    return { ...written, ...inner };
  }

  /** A schema that only refers to another is that one, where that stands. */
  #root(schema: unknown, pointer: string): [schema: unknown, pointer: string] {
    if (!isObject(schema) || typeof schema.$ref !== 'string') return [schema, pointer];
    const { $ref: reference, ...beside } = schema;
    const [target, place] = this.#root(this.#references.at(reference), reference);
    return [isObject(target) ? { ...target, ...beside } : target, place];
  }

  #collect(schema: JsonSchema, definitions: Map<string, JsonSchema>): void {
    const { $ref: reference } = schema;
    const name = typeof reference === 'string' ? reference.replace('#/$defs/', '') : '';
    const target = this.#targets.get(name);
    if (target !== undefined && !definitions.has(name)) {
      const definition = this.#definitions.get(name) ?? this.#converted(this.#references.at(target), target);
      this.#definitions.set(name, definition);
      definitions.set(name, definition);
      this.#collect(definition, definitions);
    }
    mapSubschemas(schema, (inner) => {
      this.#collect(inner, definitions);
      return inner;
    });
  }

  #converted(schema: unknown, pointer: string): JsonSchema {
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return {};
    const { $ref: reference, ...rest } = schema;
    const own = mapSubschemas(this.#keywords(rest, pointer), (inner, ...steps) =>
      this.#converted(inner, steps.reduce(below, pointer)),
    );
    return typeof reference === 'string' ? { $ref: `#/$defs/${this.#nameOf(reference)}`, ...own } : own;
  }

  #nameOf(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const wanted = (tokensOf(reference).at(-1) ?? 'Schema').replace(/[^\w.-]/g, '_');
    let name = wanted;
    for (let count = 2; this.#targets.has(name); count += 1) name = `${wanted}_${count}`;
    this.#names.set(reference, name);
    this.#targets.set(name, reference);
    return name;
  }

  /** The keywords of a schema as JSON Schema has them, those inside of it still to be converted. */
  #keywords(schema: JsonSchema, pointer: string): JsonSchema {
    const { nullable, example, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
    const kept = Object.entries(rest).filter(([keyword, value]) => this.#isKept(keyword, value, pointer));
    return withNull(nullable === true, {
      ...Object.fromEntries(kept),
      ...this.#patterns.properties(rest.patternProperties, below(pointer, 'patternProperties')),
      ...limit('minimum', 'exclusiveMinimum', exclusiveMinimum, rest),
      ...limit('maximum', 'exclusiveMaximum', exclusiveMaximum, rest),
      ...(example === undefined || rest.examples !== undefined ? {} : { examples: [example] }),
    });
  }

  #isKept(keyword: string, value: unknown, pointer: string): boolean {
    if (OF_DOCUMENTS.includes(keyword)) return false;
    // A keyword of YAML with nothing behind it.
    if (value === null && !MAY_BE_NULL.includes(keyword)) return false;
    if (keyword.startsWith('x-') || OF_OPENAPI.includes(keyword)) {
      this.#losses.note(`"${keyword}" of a schema`, pointer);
      return false;
    }
    if (keyword === 'format' && typeof value === 'string' && !Object.hasOwn(fullFormats, value)) {
      this.#losses.note(`the format "${value}"`, pointer);
      return false;
    }
    return keyword !== 'pattern' || this.#patterns.isKept(value, below(pointer, 'pattern'));
  }
}
