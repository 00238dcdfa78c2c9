import { isSchema, parsePointer, type Steps } from '../../../../framework';
import type { JsonSchema, SharedSchemaData } from '../../../documentation';
import {
  contentOf,
  hasStructure,
  referenceTo,
  withoutExample,
  type ReferenceScope,
} from './component-content';
import { definitionsOf, DefinitionIdentities } from './definitions';
import { PROBLEM, PROBLEM_SCHEMA } from '../problem-schema';
import { SharedComponents, type SharedComponent } from './shared-components';

/**
 * Collects the component schemas of one document. Equal schemas share a component, and so do equal definitions of different
 * schemas; definitions and schemas with an `$id` (as TypeBox writes recursive types) become components of their own,
 * because most tools only resolve `#/components/schemas/…`. Shared schemas of an API keep their
 * names, and are included if something refers to them.
 */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>([[PROBLEM, PROBLEM_SCHEMA]]);
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>([PROBLEM]);
  /** Components of added schemas; undefined for those without structure. Saves serializing large schemas again. */
  readonly #added = new Map<JsonSchema, string | undefined>();
  /** Component names by content, so that equal schemas share one. */
  readonly #contents = new Map<string, string>();
  readonly #identities = new DefinitionIdentities();
  /** Components of equal definitions, by identity. */
  readonly #equal = new Map<string, string>();
  /** Shared schemas that are referred to, but not converted yet. */
  readonly #pending: SharedComponent[] = [];
  readonly #prefixes: readonly string[];

  readonly #apis: SharedComponents;

  /**
   * @param prefixes of schema names, which definitions may not take
   * @param apis the shared schemas of each API
   */
  constructor(prefixes: readonly string[] = [], apis: readonly (readonly SharedSchemaData[])[] = []) {
    this.#prefixes = prefixes;
    this.#apis = new SharedComponents(apis, (name) => this.#reserve(name));
  }

  /**
   * Adds a component for a schema with structure, if there is none yet.
   * @param example documented next to the schema, and removed from it
   */
  add(schema: JsonSchema, name: string, example?: unknown): void {
    if (this.#added.has(schema) || this.#apis.use(schema) !== undefined) return;
    const bare = withoutExample(schema, example);
    const text = this.#textOf(bare);
    if (!this.#names.has(text) && hasStructure(bare)) {
      this.#names.set(text, this.#create(bare, text, name, schema));
    }
    const made = this.#names.get(text);
    this.#added.set(schema, made);
    // As it occurs in other schemas.
    if (bare !== schema && made !== undefined) this.#names.set(this.#textOf(schema), made);
  }

  /** Serializes a schema, with the names of shared definitions instead of their (large) content. */
  #textOf(schema: JsonSchema): string {
    if (!isSchema(schema.$defs)) return JSON.stringify(schema);
    const definitions = Object.entries(schema.$defs).map(([name, one]): [string, unknown] => {
      const shared = isSchema(one) ? this.#apis.of(one) : undefined;
      return [name, shared === undefined ? one : { $shared: shared.name }];
    });
    return JSON.stringify({ ...schema, $defs: Object.fromEntries(definitions) });
  }

  /** @param original the schema with its example, as it may occur in other schemas */
  #create(schema: JsonSchema, text: string, name: string, original: JsonSchema): string {
    const own = this.#reserve(name);
    const definitions = new Map(definitionsOf(schema, text));
    const shared = new Map<string, SharedComponent>();
    for (const [key, definition] of definitions) {
      const component = this.#apis.of(definition);
      if (component !== undefined && definitions.delete(key)) shared.set(key, component);
    }
    const identities = this.#identities.of(definitions, shared);
    const names = new Map([[schema, own]]);
    const created: JsonSchema[] = [];
    let refersToRoot = false;
    for (const [key, definition] of definitions) {
      if (names.has(definition)) continue;
      const identity = identities.get(key);
      const equal = this.#recursive(definition) ?? this.#equal.get(identity ?? '');
      if (equal === undefined) created.push(definition);
      const component = equal ?? this.#reserve(this.#nameOf(key, name));
      names.set(definition, component);
      if (identity === undefined) refersToRoot = true;
      else this.#equal.set(identity, component);
    }
    const scope = this.#scopeOf({
      has: (key) => shared.has(key) || definitions.has(key),
      get: (key) => {
        const definition = definitions.get(key);
        if (definition === undefined) return this.#used(shared.get(key));
        return names.get(definition) ?? own;
      },
      schemaOf: (key) => definitions.get(key) ?? shared.get(key)?.schema,
    });
    for (const one of created) this.#put(names.get(one) ?? own, this.#content(one, scope));
    const content = this.#content(schema, scope);
    const same = refersToRoot ? undefined : this.#contents.get(JSON.stringify(content));
    if (same === undefined) this.#put(own, content);
    else this.#taken.delete(own);
    if (original !== schema) this.#remember(this.#content(original, scope), same ?? own);
    return same ?? own;
  }

  #scopeOf(keys: Omit<ReferenceScope, 'hoist'>): ReferenceScope {
    const hoisted = new Map<JsonSchema, string>();
    const scope: ReferenceScope = {
      ...keys,
      hoist: (inner, name) => {
        const known = hoisted.get(inner);
        if (known !== undefined) return known;
        const own = this.#reserve(name);
        // It may refer to itself.
        hoisted.set(inner, own);
        const content = this.#content(inner, scope);
        const same = this.#contents.get(JSON.stringify(content));
        if (same === undefined) this.#put(own, content);
        else {
          hoisted.set(inner, same);
          this.#taken.delete(own);
        }
        return same ?? own;
      },
    };
    return scope;
  }

  /** Returns the component of a recursive schema that was added on its own: its `$id` makes it its own root. */
  #recursive(definition: JsonSchema): string | undefined {
    return definition.$id === undefined ? undefined : this.#added.get(definition);
  }

  /** Includes a shared schema in the components, and returns its name. */
  #used(component: SharedComponent | undefined): string | undefined {
    if (component === undefined || this.#schemas.has(component.name)) return component?.name;
    this.#schemas.set(component.name, {});
    this.#pending.push(component);
    return component.name;
  }

  /** Converts the shared schemas that are referred to, in steps of one schema. */
  *complete(): Steps<void> {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const { name, schema, siblings } = next;
      const scope = this.#scopeOf({
        has: (key) => siblings.has(key),
        get: (key) => this.#used(siblings.get(key)),
        schemaOf: (key) => siblings.get(key)?.schema,
      });
      this.#schemas.set(name, this.#content(schema, scope));
      yield;
    }
  }

  #put(name: string, content: JsonSchema): void {
    this.#schemas.set(name, content);
    this.#remember(content, name);
  }

  #remember(content: JsonSchema, name: string): void {
    const text = JSON.stringify(content);
    if (!this.#contents.has(text)) this.#contents.set(text, name);
  }

  /**
   * Returns a reference to the component of a schema, or the schema itself if it has none.
   * @param example documented next to the schema
   */
  reference(schema: JsonSchema, example?: unknown): JsonSchema {
    const shared = this.#asShared(schema, example);
    if (shared !== undefined) return shared;
    const name = this.#added.has(schema) ? this.#added.get(schema) : this.#names.get(this.#textOf(schema));
    return name === undefined ? withoutExample(schema, example) : referenceTo(name);
  }

  /** Returns a reference to a shared schema with its annotations; undefined for other schemas. */
  #asShared(schema: JsonSchema, example?: unknown): JsonSchema | undefined {
    const use = this.#apis.use(schema);
    const name = this.#used(use?.component);
    if (use === undefined || name === undefined) return undefined;
    return { ...referenceTo(name), ...withoutExample(use.annotations, example) };
  }

  /** Returns the component schemas by name; shared ones are empty until {@link complete} has run. */
  schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#schemas);
  }

  /** Returns the name for a definition: its own, unless the names of a service begin with it. */
  #nameOf(key: string, name: string): string {
    const plain = parsePointer(key).at(-1) ?? key;
    return this.#prefixes.some((prefix) => plain.startsWith(prefix)) ? `${name}_${plain}` : plain;
  }

  #reserve(proposed: string): string {
    const name = proposed.replace(/[^\w.-]/g, '_');
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? name : `${name}_${count}`;
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      return candidate;
    }
  }

  #content(schema: JsonSchema, scope: ReferenceScope): JsonSchema {
    return contentOf(schema, scope, (inner) => this.#inside(inner, scope));
  }

  #inside(schema: JsonSchema, scope: ReferenceScope): JsonSchema {
    const shared = this.#asShared(schema);
    if (shared !== undefined) return shared;
    const id = schema.$id;
    const hoisted = typeof id === 'string' ? scope.get(id) : undefined;
    if (hoisted !== undefined) return referenceTo(hoisted);
    if (!hasStructure(schema)) return this.#content(schema, scope);
    const text = JSON.stringify(schema);
    // References depend on the enclosing schema: compare the content with resolved components.
    if (text.includes('"$ref"')) {
      const content = this.#content(schema, scope);
      const same = this.#contents.get(JSON.stringify(content));
      return same === undefined ? content : referenceTo(same);
    }
    const known = this.#names.get(text);
    return known === undefined ? this.#content(schema, scope) : referenceTo(known);
  }
}
