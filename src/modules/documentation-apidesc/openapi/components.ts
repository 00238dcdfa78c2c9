import { mapSubschemas } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import { definitionsOf, Identities, keyOf } from './definitions';
import { PROBLEM, PROBLEM_SCHEMA } from './problem';

/** Keywords that make a schema worth a name; a bare `{ "type": "string" }` is clearer where it stands. */
const STRUCTURE: readonly string[] = [
  'properties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  '$defs',
  '$id',
  '$ref',
];

/** Keywords that lose their meaning, or change it, inside a document with components. */
const DROPPED: readonly string[] = ['$schema', '$id', '$anchor', '$defs', 'definitions'];

/** Where the references of one schema lead: what was written, and the component that it means. */
type Scope = ReadonlyMap<string, string>;

/**
 * The component schemas of one document. Equal schemas share a component, and so do equal definitions of different
 * schemas; definitions and schemas with an `$id` (as TypeBox writes recursive types) become components of their own,
 * because most tools resolve no reference but `#/components/schemas/…`.
 */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>([[PROBLEM, PROBLEM_SCHEMA]]);
  readonly #names = new Map<string, string>();
  /** What was added, as writing out a large schema again takes a while: its component, if it is worth one. */
  readonly #added = new Map<JsonSchema, string | undefined>();
  /** What the components say, as text: a schema that says the same is not one again. */
  readonly #contents = new Map<string, string>();
  readonly #identities = new Identities();
  /** Of definitions that several schemas may share: their components, by identity. */
  readonly #shared = new Map<string, string>();
  readonly #prefixes: readonly string[];

  /** @param prefixes what the names of schemas begin with: a definition of such a name does not take theirs */
  constructor(prefixes: readonly string[] = []) {
    this.#prefixes = prefixes;
  }

  /**
   * Makes a component of a schema that has structure and is not one yet.
   * @param example what stands beside the schema wherever it is used, and need not be said in it again
   */
  add(schema: JsonSchema, name: string, example?: unknown): void {
    if (this.#added.has(schema)) return;
    const bare = withoutExample(schema, example);
    const text = JSON.stringify(bare);
    if (!this.#names.has(text) && hasStructure(bare)) {
      this.#names.set(text, this.#make(bare, text, name));
    }
    const made = this.#names.get(text);
    this.#added.set(schema, made);
    // As it stands in other schemas.
    if (bare !== schema && made !== undefined) this.#names.set(JSON.stringify(schema), made);
  }

  #make(schema: JsonSchema, text: string, name: string): string {
    const own = this.#reserve(name);
    const definitions = definitionsOf(schema, text);
    const identities = this.#identities.of(definitions);
    const named = new Map([[schema, own]]);
    const made: JsonSchema[] = [];
    let leadsBack = false;
    for (const [key, definition] of definitions) {
      if (named.has(definition)) continue;
      const identity = identities.get(key);
      const shared = identity === undefined ? undefined : this.#shared.get(identity);
      if (shared === undefined) made.push(definition);
      const component = shared ?? this.#reserve(this.#nameOf(key, name));
      named.set(definition, component);
      if (identity === undefined) leadsBack = true;
      else this.#shared.set(identity, component);
    }
    const scope = new Map([...definitions].map(([key, one]) => [key, named.get(one) ?? own]));
    for (const one of made) this.#put(named.get(one) ?? own, this.#content(one, scope));
    const content = this.#content(schema, scope);
    const same = leadsBack ? undefined : this.#contents.get(JSON.stringify(content));
    if (same === undefined) this.#put(own, content);
    else this.#schemas.delete(own);
    return same ?? own;
  }

  #put(name: string, content: JsonSchema): void {
    const text = JSON.stringify(content);
    this.#schemas.set(name, content);
    if (!this.#contents.has(text)) this.#contents.set(text, name);
  }

  /**
   * A reference to a schema's component, or the schema itself where it has none.
   * @param example what stands beside the schema
   */
  reference(schema: JsonSchema, example?: unknown): JsonSchema {
    const name = this.#added.has(schema) ? this.#added.get(schema) : this.#names.get(JSON.stringify(schema));
    return name === undefined ? withoutExample(schema, example) : referenceTo(name);
  }

  /** The component schemas by name. */
  schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#schemas);
  }

  /** A definition is called what it is called, unless that is how a service's schemas are called. */
  #nameOf(key: string, name: string): string {
    const plain = key.replace(/^.*\//, '');
    return this.#prefixes.some((prefix) => plain.startsWith(prefix)) ? `${name}_${plain}` : plain;
  }

  #reserve(wanted: string): string {
    const name = wanted.replace(/[^\w.-]/g, '_');
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? name : `${name}_${count}`;
      if (this.#schemas.has(candidate)) continue;
      this.#schemas.set(candidate, {});
      return candidate;
    }
  }

  #content(schema: JsonSchema, scope: Scope): JsonSchema {
    const kept = Object.entries(schema).filter(([keyword]) => !DROPPED.includes(keyword));
    const { $ref: reference, ...beside } = mapSubschemas(Object.fromEntries(kept), (inner) =>
      this.#inside(inner, scope),
    );
    // A reference to something outside would make every reader of the document fetch it.
    const target = typeof reference === 'string' ? targetOf(reference, scope) : undefined;
    return target === undefined ? beside : { $ref: target, ...beside };
  }

  #inside(schema: JsonSchema, scope: Scope): JsonSchema {
    const id = schema.$id;
    const hoisted = typeof id === 'string' ? scope.get(id) : undefined;
    if (hoisted !== undefined) return referenceTo(hoisted);
    if (!hasStructure(schema)) return this.#content(schema, scope);
    const text = JSON.stringify(schema);
    // What a reference means depends on the schema around it, so equal text is not an equal schema.
    const known = text.includes('"$ref"') ? undefined : this.#names.get(text);
    return known === undefined ? this.#content(schema, scope) : referenceTo(known);
  }
}

function hasStructure(schema: JsonSchema): boolean {
  return STRUCTURE.some((keyword) => keyword in schema);
}

function withoutExample(schema: JsonSchema, example: unknown): JsonSchema {
  const { examples, ...bare } = schema;
  return example !== undefined && JSON.stringify(examples) === JSON.stringify([example]) ? bare : schema;
}

function targetOf(reference: string, scope: Scope): string | undefined {
  const known = keyOf(reference, scope);
  const name = known === undefined ? undefined : scope.get(known);
  if (known === undefined || name === undefined) return undefined;
  return `#/components/schemas/${name}${reference.slice(known.length)}`;
}

function referenceTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
