import { isList, isPlainObject, isSchema, listOf, objectOf, resolveReference } from '../../../framework';
import type { JsonSchema } from './data';

/** Values in a generated example: a larger one explains nothing. */
const MAX_VALUES = 1_000;

/** Nesting depth of schemas; limits recursion. */
const MAX_DEPTH = 100;

/** Schemas that apply together; more are probably malicious. */
const MAX_PARTS = 100;

/** Keywords that describe a value next to a reference. */
const COMPOSING: readonly string[] = ['properties', 'required', 'allOf', 'anyOf', 'oneOf'];

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
  const isComposed = isSchema(schema.properties) || Array.isArray(schema.allOf);
  return isEmpty && !Array.isArray(schema.examples) && isComposed ? undefined : example;
}

/** Whether a schema has a value of its own. */
function isStated(schema: JsonSchema): boolean {
  return statedBy(schema) !== undefined;
}

/** Keywords that may declare members of an object. */
const MEMBERS: readonly string[] = ['$ref', 'properties', 'allOf', 'anyOf', 'oneOf'];

function statedBy(schema: JsonSchema): unknown {
  const { examples, const: only, default: preset, enum: choices } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as unknown;
  if (only !== undefined) return only;
  // An empty object as the default explains nothing, and lacks the members that have defaults themselves.
  const isEmpty = isPlainObject(preset) && Object.keys(preset).length === 0;
  if (isEmpty && MEMBERS.some((keyword) => schema[keyword] !== undefined)) return undefined;
  return preset === undefined && Array.isArray(choices) ? (choices[0] as unknown) : preset;
}

function hasMembers(schema: JsonSchema): boolean {
  return isSchema(schema.properties) || Array.isArray(schema.required) || isPlainObject(statedBy(schema));
}

function unionsOf({ anyOf, oneOf }: JsonSchema): readonly (readonly unknown[])[] {
  return [anyOf, oneOf].filter(isList);
}

/** Returns the schemas of each member, constants first. The members of an example are constants. */
function candidatesOf(parts: readonly JsonSchema[]): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const part of parts) {
    const stated = statedBy(part);
    const isExample = isPlainObject(stated);
    const members = isExample ? stated : objectOf(part.properties);
    for (const name of Object.keys(members)) {
      const member = isExample ? { const: members[name] } : members[name];
      const known = found.get(name);
      if (known === undefined) found.set(name, [member]);
      else if (isSchema(member) && member.const !== undefined) known.unshift(member);
      else known.push(member);
    }
  }
  return found;
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
    const isComposed = COMPOSING.some((keyword) => schema[keyword] !== undefined);
    if (typeof schema.$ref === 'string') {
      if (!isComposed) return this.of(resolveReference(this.#root, schema.$ref));
    } else {
      const stated = statedBy(schema);
      // Most schemas are those of plain values.
      if (stated !== undefined || !(isComposed || isSchema(schema.items))) return stated;
    }
    const parts = this.#partsOf(schema);
    if (parts.some(hasMembers)) return this.#ofObject(parts);
    const stated = parts.find(isStated);
    if (stated !== undefined) return statedBy(stated);
    if (parts.some((part) => isSchema(part.items))) return this.#ofList(parts);
    const branches = parts.flatMap(unionsOf)[0] ?? [];
    return branches.map((branch) => this.of(branch)).find((example) => example !== undefined);
  }

  /** Returns the schemas that apply together. The example of one covers those that it refers to. */
  #partsOf(schema: unknown, parts: JsonSchema[] = []): readonly JsonSchema[] {
    if (!isSchema(schema) || parts.includes(schema) || parts.length >= MAX_PARTS) return parts;
    parts.push(schema);
    if (parts.length > 1 && isStated(schema)) return parts;
    if (typeof schema.$ref === 'string') this.#partsOf(resolveReference(this.#root, schema.$ref), parts);
    for (const part of listOf(schema.allOf)) this.#partsOf(part, parts);
    return parts;
  }

  /** Returns a list with one item, or as many as the schemas require; undefined if they do not accept it. */
  #ofList(parts: readonly JsonSchema[]): unknown {
    const limits = (keyword: string): readonly number[] =>
      parts.flatMap(({ [keyword]: limit }) => (typeof limit === 'number' ? [limit] : []));
    const first = listOf(parts.map(({ prefixItems }) => prefixItems).find(isList));
    const further = parts.map(({ items }) => items).find(isSchema);
    const count = Math.max(1, first.length, ...limits('minItems'));
    const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true);
    if (count > Math.min(MAX_VALUES, ...limits('maxItems')) || (isUnique && count > 1)) return undefined;
    const items = Array.from({ length: count }, (_, at) => this.of(at < first.length ? first[at] : further));
    const weight = items.reduce<number>((sum, item) => sum + this.#weightOf(item), 0);
    return items.includes(undefined) || weight >= MAX_VALUES ? undefined : this.#withWeight(items);
  }

  #ofObject(own: readonly JsonSchema[]): unknown {
    const parts = this.#withBranches(own);
    const candidates = candidatesOf(parts);
    const required = new Set(parts.flatMap((part) => listOf(part.required)));
    const members: [string, unknown][] = [];
    let weight = 1;
    for (const [name, schemas] of candidates) {
      const example = this.#firstOf(schemas);
      if (example === undefined || weight + this.#weightOf(example) > MAX_VALUES) {
        if (required.has(name)) return undefined;
        continue;
      }
      members.push([name, example]);
      weight += this.#weightOf(example);
      required.delete(name);
    }
    return required.size > 0 ? undefined : this.#withWeight(Object.fromEntries(members), weight);
  }

  /** Adds a branch of each union: the first one whose required members have examples, or any. */
  #withBranches(own: readonly JsonSchema[]): readonly JsonSchema[] {
    const parts = [...own];
    // The loop visits appended schemas as well.
    for (const part of parts) {
      for (const union of isStated(part) ? [] : unionsOf(part)) {
        const branches = union
          .filter((branch) => isSchema(branch) && branch.type !== 'null')
          .map((branch) => this.#partsOf(branch));
        const chosen =
          branches.find((branch) => this.#isPossible([...parts, ...branch], branch)) ?? branches[0];
        const added = chosen?.filter((one) => !parts.includes(one)) ?? [];
        if (parts.length < MAX_PARTS) parts.push(...added);
      }
    }
    return parts;
  }

  /** Whether the required members of a branch have examples. */
  #isPossible(parts: readonly JsonSchema[], branch: readonly JsonSchema[]): boolean {
    const candidates = candidatesOf(parts);
    return branch
      .flatMap((part) => listOf(part.required))
      .every((name) => this.#firstOf(candidates.get(String(name)) ?? []) !== undefined);
  }

  #firstOf(schemas: readonly unknown[]): unknown {
    let first: unknown;
    for (const schema of schemas) {
      const example = this.of(schema);
      if (first === undefined) first = example;
    }
    return first;
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
