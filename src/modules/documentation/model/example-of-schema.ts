import { isSchema, resolveReference } from '../../../framework';
import type { JsonSchema } from './data';

/** Values that an example is put together from at most: a larger one explains nothing, and could be of any size. */
const MAX_VALUES = 1_000;

/** Schemas in one another that are looked through: what is deeper nobody reads, and somebody may have made to harm. */
const MAX_DEPTH = 100;

/**
 * An example that a schema itself gives: its own, or one made of its members' examples. Nothing is invented: a
 * schema with a required member that has no example has none. Members that would make it larger than a thousand values
 * are left out, as schemas that refer to others twice multiply.
 *
 * @returns undefined when there is none; `null` is an example like any other
 */
export function exampleOfSchema(schema: JsonSchema): unknown {
  return new Examples(schema).of(schema);
}

/** The examples within one document, each found once: what holds itself, or is held often, costs no more. */
class Examples {
  readonly #root: JsonSchema;
  readonly #known = new Map<JsonSchema, unknown>();
  /** How many values there are in what was put together; 1 for what is not in here. */
  readonly #weights = new Map<unknown, number>();
  #depth = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  of(schema: unknown): unknown {
    if (!isSchema(schema)) return undefined;
    if (this.#known.has(schema)) return this.#known.get(schema);
    if (this.#depth > MAX_DEPTH) return undefined;
    // A schema that holds itself ends here.
    this.#known.set(schema, undefined);
    this.#depth += 1;
    const example = this.#find(schema);
    this.#depth -= 1;
    this.#known.set(schema, example);
    return example;
  }

  #find(schema: JsonSchema): unknown {
    if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0] as unknown;
    if (typeof schema.$ref === 'string') return this.of(resolveReference(this.#root, schema.$ref));
    for (const key of ['const', 'default'] as const) if (schema[key] !== undefined) return schema[key];
    if (Array.isArray(schema.enum)) return schema.enum[0] as unknown;
    if (isSchema(schema.properties)) return this.#ofObject(schema, schema.properties);
    if (isSchema(schema.items)) {
      const item = this.of(schema.items);
      return item === undefined || this.#weightOf(item) >= MAX_VALUES ? undefined : this.#weighed([item]);
    }
    const branches: readonly unknown[] = [schema.anyOf, schema.oneOf].find(Array.isArray) ?? [];
    return branches.map((branch) => this.of(branch)).find((example) => example !== undefined);
  }

  #ofObject(schema: JsonSchema, properties: JsonSchema): unknown {
    const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
    const shown: [string, unknown][] = [];
    let weight = 1;
    for (const [name, member] of Object.entries(properties)) {
      const example = this.of(member);
      const fits = example !== undefined && weight + this.#weightOf(example) <= MAX_VALUES;
      if (!fits && required.includes(name)) return undefined;
      if (!fits) continue;
      shown.push([name, example]);
      weight += this.#weightOf(example);
    }
    return this.#weighed(Object.fromEntries(shown), weight);
  }

  #weightOf(example: unknown): number {
    return this.#weights.get(example) ?? 1;
  }

  #weighed(
    whole: object,
    weight = 1 + Object.values(whole).reduce<number>((sum, part) => sum + this.#weightOf(part), 0),
  ): unknown {
    this.#weights.set(whole, weight);
    return whole;
  }
}
