import { allSubschemas, mapSubschemas, printable, StartError } from '../../framework';
import { Validators } from '../content-validation';
import type { JsonSchema } from '../documentation';
import { below, isObject, type JsonObject } from './json';
import { Keywords } from './keywords';
import type { Losses } from './losses';
import { tokensOf, type References } from './references';

/** Schemas that one parameter may refer to, all together: each may refer to several, so that they multiply. */
const MOST_INLINED = 1_000;

/** Characters of JSON that all schemas of one document may become; GitHub's description becomes 5 million. */
const MOST_WRITTEN = 32_000_000;

/** Makes JSON Schemas (2020-12), and the schemas that they share, of the schemas of an OpenAPI document. */
export class Schemas {
  readonly #references: References;
  readonly #losses: Losses;
  readonly #keywords: Keywords;
  /** Of references: the names of what they lead to. */
  readonly #names = new Map<string, string>();

  /** Of these names: the references, and what stands there. */
  readonly #targets = new Map<string, string>();
  readonly #converted = new Map<string, JsonSchema>();
  /** The names that bodies and answers refer to. */
  readonly #needed = new Set<string>();

  /** Characters of JSON that were made so far. */
  #size = 0;
  readonly #validators = new Validators();
  readonly #file: string;

  /** @param file how messages name the document */
  constructor(references: References, losses: Losses, file: string) {
    this.#file = file;
    this.#references = references;
    this.#losses = losses;
    this.#keywords = new Keywords(losses);
  }

  /**
   * What stands at a place, with references to what is shared.
   * @param pointer where it stands
   * @throws StartError for one that is none, and where all together are too large
   */
  own(schema: unknown, pointer: string): JsonSchema {
    const own = this.#convert(schema, pointer);
    this.#assertSize(own, pointer);
    this.#assertRight(own, pointer);
    for (const name of namesIn(own)) this.#needed.add(name);
    return own;
  }

  /** The schemas that those made so far refer to, by name. @throws StartError as above */
  shared(): Readonly<Record<string, JsonSchema>> {
    const shared = new Map<string, JsonSchema>();
    // A set that grows while it is walked: each is visited once.
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
    const made = this.#convert(this.#references.at(target), target);
    this.#assertRight(made, target);
    this.#converted.set(name, made);
    return made;
  }

  /** Notes the schemas of the document that nothing refers to. */
  noteUnused(declared: JsonObject, pointer: string): void {
    const used = new Set([...this.#names.keys()].map((reference) => this.#references.at(reference)));
    for (const [name, schema] of Object.entries(declared))
      if (!used.has(schema)) this.#losses.note('a schema that nothing here refers to', below(pointer, name));
  }

  #assertSize(schema: JsonSchema, pointer: string): void {
    this.#size += JSON.stringify(schema).length;
    if (this.#size <= MOST_WRITTEN) return;
    throw new StartError(
      printable(
        `${this.#file} would become more than ${MOST_WRITTEN / 1_000_000} MB of schemas with that at ${pointer}: each parameter holds all that its schema refers to. Take paths out of the document, or references out of the schemas of its parameters, and import again.`,
      ),
    );
  }

  /** That what is referred to is there is known. @throws StartError for a schema that nothing could be checked by */
  #assertRight(schema: JsonSchema, pointer: string): void {
    try {
      this.#validators.asIs(withoutReferences(schema));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const said = reason.replace(/^schema is invalid: /, '').replaceAll('data/', '/');
      throw new StartError(printable(`${this.#file}: the schema at ${pointer} cannot be used: ${said}.`), {
        cause: error,
      });
    }
  }

  /** With what it refers to written out, and anything instead of what leads back. */
  flat(schema: unknown, pointer: string): JsonSchema {
    const own = this.#convert(schema, pointer);
    this.#assertRight(own, pointer);
    const flat = this.#inlined(own, pointer, [], { count: MOST_INLINED });
    this.#assertSize(flat, pointer);
    return flat;
  }

  #inlined(
    schema: JsonSchema,
    pointer: string,
    around: readonly string[],
    left: { count: number },
  ): JsonSchema {
    const { $ref: reference, ...beside } = schema;
    const inner = mapSubschemas(beside, (one) => this.#inlined(one, pointer, around, left));
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
    const target = this.#at(nameIn(reference));
    return { ...this.#inlined(target, pointer, [...around, reference], left), ...inner };
  }

  #convert(schema: unknown, pointer: string): JsonSchema {
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return {};
    const { $ref: reference, ...rest } = schema;
    const own = mapSubschemas(this.#keywords.of(rest, pointer), (inner, ...steps) =>
      this.#convert(inner, steps.reduce(below, pointer)),
    );
    return typeof reference === 'string' ? { $ref: SHARED + this.#nameOf(reference), ...own } : own;
  }

  #nameOf(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const last = (tokensOf(reference).at(-1) ?? '').replace(/[^\w.-]/g, '_');
    // A member of that name would not be one.
    const wanted = last === '__proto__' ? 'Schema' : last || 'Schema';
    let name = wanted;
    for (let count = 2; this.#targets.has(name); count += 1) name = `${wanted}_${count}`;
    this.#names.set(reference, name);
    this.#targets.set(name, reference);
    return name;
  }
}

/** How hosting refers to what the operations of a version share. */
const SHARED = '#/schemas/';

function nameIn(reference: string): string {
  return reference.slice(SHARED.length);
}

/** What a schema refers to. */
function namesIn(schema: JsonSchema): readonly string[] {
  return allSubschemas(schema).flatMap(({ $ref: reference }) =>
    typeof reference === 'string' ? [nameIn(reference)] : [],
  );
}

function withoutReferences({ $ref: _, ...schema }: JsonSchema): JsonSchema {
  return mapSubschemas(schema, withoutReferences);
}
