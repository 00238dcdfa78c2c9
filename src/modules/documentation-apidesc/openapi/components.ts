import { isSchema, type Steps } from '../../../framework';
import type { JsonSchema, SharedSchemaData } from '../../documentation';
import { contentOf, hasStructure, referenceTo, withoutExample, type Scope } from './component-content';
import { definitionsOf, Identities } from './definitions';
import { PROBLEM, PROBLEM_SCHEMA } from './problem';
import { SharedComponents, type SharedComponent } from './shared-components';

/**
 * The component schemas of one document. Equal schemas share a component, and so do equal definitions of different
 * schemas; definitions and schemas with an `$id` (as TypeBox writes recursive types) become components of their own,
 * because most tools resolve no reference but `#/components/schemas/…`. Schemas that an API shares have the names that it
 * gives them, and are there where something refers to them.
 */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>([[PROBLEM, PROBLEM_SCHEMA]]);
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>([PROBLEM]);
  /** What was added, as writing out a large schema again takes a while: its component, if it is worth one. */
  readonly #added = new Map<JsonSchema, string | undefined>();
  /** What the components say, as text: a schema that says the same is not one again. */
  readonly #contents = new Map<string, string>();
  readonly #identities = new Identities();
  /** Of definitions that several schemas have: their components, by identity. */
  readonly #equal = new Map<string, string>();
  /** Shared schemas that something refers to, but that are not written yet. */
  readonly #pending: SharedComponent[] = [];
  readonly #prefixes: readonly string[];

  readonly #apis: SharedComponents;

  /**
   * @param prefixes what the names of schemas begin with: a definition of such a name does not take theirs
   * @param apis the schemas that each of the APIs shares
   */
  constructor(prefixes: readonly string[] = [], apis: readonly (readonly SharedSchemaData[])[] = []) {
    this.#prefixes = prefixes;
    this.#apis = new SharedComponents(apis, (name) => this.#reserve(name));
  }

  /**
   * Makes a component of a schema that has structure and is not one yet.
   * @param example what stands beside the schema wherever it is used, and need not be said in it again
   */
  add(schema: JsonSchema, name: string, example?: unknown): void {
    if (this.#added.has(schema) || this.#apis.use(schema) !== undefined) return;
    const bare = withoutExample(schema, example);
    const text = this.#textOf(bare);
    if (!this.#names.has(text) && hasStructure(bare)) {
      this.#names.set(text, this.#make(bare, text, name));
    }
    const made = this.#names.get(text);
    this.#added.set(schema, made);
    // As it stands in other schemas.
    if (bare !== schema && made !== undefined) this.#names.set(this.#textOf(schema), made);
  }

  /** A schema as text, with the names of shared definitions instead of these: they may be large. */
  #textOf(schema: JsonSchema): string {
    if (!isSchema(schema.$defs)) return JSON.stringify(schema);
    const definitions = Object.entries(schema.$defs).map(([name, one]): [string, unknown] => {
      const shared = isSchema(one) ? this.#apis.of(one) : undefined;
      return [name, shared === undefined ? one : { $shared: shared.name }];
    });
    return JSON.stringify({ ...schema, $defs: Object.fromEntries(definitions) });
  }

  #make(schema: JsonSchema, text: string, name: string): string {
    const own = this.#reserve(name);
    const definitions = new Map(definitionsOf(schema, text));
    const shared = new Map<string, SharedComponent>();
    for (const [key, definition] of definitions) {
      const component = this.#apis.of(definition);
      if (component !== undefined && definitions.delete(key)) shared.set(key, component);
    }
    const identities = this.#identities.of(definitions, shared);
    const named = new Map([[schema, own]]);
    const made: JsonSchema[] = [];
    let leadsBack = false;
    for (const [key, definition] of definitions) {
      if (named.has(definition)) continue;
      const identity = identities.get(key);
      const equal = identity === undefined ? undefined : this.#equal.get(identity);
      if (equal === undefined) made.push(definition);
      const component = equal ?? this.#reserve(this.#nameOf(key, name));
      named.set(definition, component);
      if (identity === undefined) leadsBack = true;
      else this.#equal.set(identity, component);
    }
    const scope: Scope = {
      has: (key) => shared.has(key) || definitions.has(key),
      get: (key) => {
        const definition = definitions.get(key);
        if (definition === undefined) return this.#used(shared.get(key));
        return named.get(definition) ?? own;
      },
    };
    for (const one of made) this.#put(named.get(one) ?? own, this.#content(one, scope));
    const content = this.#content(schema, scope);
    const same = leadsBack ? undefined : this.#contents.get(JSON.stringify(content));
    if (same === undefined) this.#put(own, content);
    else this.#taken.delete(own);
    return same ?? own;
  }

  /** The name of a shared schema, which is one of the components from now on. */
  #used(component: SharedComponent | undefined): string | undefined {
    if (component === undefined || this.#schemas.has(component.name)) return component?.name;
    this.#schemas.set(component.name, {});
    this.#pending.push(component);
    return component.name;
  }

  /** Writes the shared schemas that something refers to, one at each step. */
  *complete(): Steps<void> {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const { name, schema, siblings } = next;
      const scope: Scope = {
        has: (key) => siblings.has(key),
        get: (key) => this.#used(siblings.get(key)),
      };
      this.#schemas.set(name, this.#content(schema, scope));
      yield;
    }
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
    const shared = this.#asShared(schema, example);
    if (shared !== undefined) return shared;
    const name = this.#added.has(schema) ? this.#added.get(schema) : this.#names.get(this.#textOf(schema));
    return name === undefined ? withoutExample(schema, example) : referenceTo(name);
  }

  /** A reference to the shared schema that one is, with what it says beside; undefined for one that is none. */
  #asShared(schema: JsonSchema, example?: unknown): JsonSchema | undefined {
    const use = this.#apis.use(schema);
    const name = this.#used(use?.component);
    if (use === undefined || name === undefined) return undefined;
    return { ...referenceTo(name), ...withoutExample(use.beside, example) };
  }

  /** The component schemas by name; those that are shared are empty until {@link complete} wrote them. */
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
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      return candidate;
    }
  }

  #content(schema: JsonSchema, scope: Scope): JsonSchema {
    return contentOf(schema, scope, (inner) => this.#inside(inner, scope));
  }

  #inside(schema: JsonSchema, scope: Scope): JsonSchema {
    const shared = this.#asShared(schema);
    if (shared !== undefined) return shared;
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
