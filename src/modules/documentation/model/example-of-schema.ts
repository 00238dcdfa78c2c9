import { isPlainObject, listOf, isSchema, resolveReference } from '../../../framework';
import type { JsonSchema } from './data';

/** Values in a generated example: a larger one explains nothing. */
const MAX_VALUES = 1_000;

/** Nesting depth of schemas; limits recursion. */
const MAX_DEPTH = 100;

/**
 * Returns the example of a schema: its own, or one that is composed of the examples of its members. No values are
 * invented, so a schema with a required member without an example has none. Members that would exceed a thousand
 * values are omitted, because references can multiply them.
 *
 * @returns undefined if there is none; `null` is a possible example
 */
export function exampleOfSchema(schema: JsonSchema): unknown {
  const example = new Examples(schema).of(schema);
  // An object without its members explains nothing.
  const isEmpty = isPlainObject(example) && Object.keys(example).length === 0;
  return isEmpty && !Array.isArray(schema.examples) && isSchema(schema.properties) ? undefined : example;
}

/** Finds the examples of one schema and its subschemas, once each. */
class Examples {
  readonly #root: JsonSchema;
  readonly #found = new Map<JsonSchema, unknown>();
  /** The number of values in composed examples; others count as 1. */
  readonly #weights = new Map<unknown, number>();
  #depth = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  of(schema: unknown): unknown {
    if (!isSchema(schema)) return undefined;
    if (this.#found.has(schema)) return this.#found.get(schema);
    if (this.#depth > MAX_DEPTH) return undefined;
    // Ends recursion.
    this.#found.set(schema, undefined);
    this.#depth += 1;
    const example = this.#find(schema);
    this.#depth -= 1;
    this.#found.set(schema, example);
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
      return item === undefined || this.#weightOf(item) >= MAX_VALUES ? undefined : this.#withWeight([item]);
    }
    const branches: readonly unknown[] = [schema.anyOf, schema.oneOf].find(Array.isArray) ?? [];
    return branches.map((branch) => this.of(branch)).find((example) => example !== undefined);
  }

  #ofObject(schema: JsonSchema, properties: JsonSchema): unknown {
    const required = listOf(schema.required);
    const members: [string, unknown][] = [];
    let weight = 1;
    for (const [name, member] of Object.entries(properties)) {
      const example = this.of(member);
      const isIncluded = example !== undefined && weight + this.#weightOf(example) <= MAX_VALUES;
      if (!isIncluded && required.includes(name)) return undefined;
      if (!isIncluded) continue;
      members.push([name, example]);
      weight += this.#weightOf(example);
    }
    return this.#withWeight(Object.fromEntries(members), weight);
  }

  #weightOf(example: unknown): number {
    return this.#weights.get(example) ?? 1;
  }

  #withWeight(
    whole: object,
    weight = 1 + Object.values(whole).reduce<number>((sum, part) => sum + this.#weightOf(part), 0),
  ): unknown {
    this.#weights.set(whole, weight);
    return whole;
  }
}
