import {
  definitionPath,
  definitionReference,
  isSchema,
  merged,
  withDefinitions,
  type SchemaNode,
} from '../../../framework';
import { NestedDerivations } from './nested-derivations';

/** Derives a schema; returns the same object if nothing changes. */
export type Derive = (schema: SchemaNode, derived: DerivedDefinitions) => SchemaNode;

/**
 * The definitions of a derived schema: what a schema references must be derived too. A changed definition is added
 * under its own name next to the original, which may still be needed.
 */
export class DerivedDefinitions {
  readonly #definitions: SchemaNode;
  readonly #suffix: string;
  readonly #derive: Derive;
  /** Names of visited definitions, by name and variant. */
  readonly #names = new Map<string, string>();
  readonly #derivedDefinitions = new Map<string, SchemaNode>();
  /** The names of changed definitions. */
  readonly #given = new Set<string>();
  /** The names that definitions get if they change, by name and variant. */
  readonly #reserved = new Map<string, string>();
  readonly #derivations: NestedDerivations;
  /** What references with other keywords next to them are resolved to: once, as those who search visit each schema once. */
  readonly #resolved = new WeakMap<SchemaNode, SchemaNode>();
  /** References to what is derived from schemas that are not definitions. */
  readonly #shared = new Map<SchemaNode, string>();
  /** The schemas of these whose derivation has begun. */
  readonly #begun = new Set<SchemaNode>();

  /**
   * @param suffix suffix for the names of changed definitions
   * @param derivations shared with the definitions that are derived within these
   */
  constructor(root: SchemaNode, suffix: string, derive: Derive, derivations = new NestedDerivations()) {
    this.#derivations = derivations;
    this.#definitions = isSchema(root.$defs) ? root.$defs : {};
    this.#suffix = suffix;
    this.#derive = derive;
  }

  /** Returns the referenced definition; undefined for other references. */
  find(reference: unknown): SchemaNode | undefined {
    const name = typeof reference === 'string' ? nameIn(reference) : '';
    const definition = Object.hasOwn(this.#definitions, name)
      ? this.#definitions[name]
      : this.#derivedDefinitions.get(name);
    return isSchema(definition) ? definition : undefined;
  }

  /** Returns the definition that a schema refers to, with the keywords next to the reference; undefined without one. */
  resolve(schema: SchemaNode): SchemaNode | undefined {
    const { $ref: reference, ...siblings } = schema;
    const target = this.find(reference);
    if (target === undefined || Object.keys(siblings).length === 0) return target;
    const resolved = this.#resolved.get(schema) ?? merged(target, siblings);
    this.#resolved.set(schema, resolved);
    return resolved;
  }

  /**
   * Returns a reference to the derived definition: the same reference if it did not change.
   * @param variant what `derive` depends on, other than the definition
   */
  reference(reference: string, derive = this.#derive, variant = ''): string {
    const name = nameIn(reference);
    const definition = this.#definitions[name];
    if (!isSchema(definition)) return reference;
    const key = JSON.stringify([name, variant]);
    if (!this.#names.has(key)) this.#deriveAs(key, name, definition, derive);
    const own = this.#names.get(key);
    return own === undefined || own === name ? reference : definitionReference(own);
  }

  #deriveAs(key: string, name: string, definition: SchemaNode, derive: Derive): void {
    const given = this.#reserved.get(key) ?? this.#nameFor(name);
    this.#reserved.set(key, given);
    this.#derivations.run({
      definition,
      derive: () => {
        // A recursive definition gets its new name before it is known whether it changes.
        this.#names.set(key, given);
        const made = derive(definition, this);
        if (made === definition) {
          this.#names.set(key, name);
          this.#given.delete(given);
        } else this.#derivedDefinitions.set(given, made);
      },
      forget: () => this.#names.delete(key),
    });
  }

  /**
   * Returns a reference to what is derived from a schema that is not a definition, but is needed at several places.
   * @param name for its definition
   */
  share(schema: SchemaNode, name: string, derive: () => SchemaNode): string {
    const reference = this.#shared.get(schema) ?? this.newReference(name);
    this.#shared.set(schema, reference);
    if (this.#begun.has(schema)) return reference;
    this.#derivations.run({
      definition: schema,
      derive: () => {
        this.#begun.add(schema);
        this.define(reference, derive());
      },
      forget: () => this.#begun.delete(schema),
    });
    return reference;
  }

  /** Returns a reference to a definition that is added later. */
  newReference(name: string): string {
    return definitionReference(this.#nameFor(name));
  }

  /** Adds the definition of a new reference. */
  define(reference: string, definition: SchemaNode): void {
    this.#derivedDefinitions.set(nameIn(reference), definition);
  }

  /** Resolves references to the original definitions. */
  get root(): SchemaNode {
    return { $defs: this.#definitions };
  }

  /** The definitions by name, including derived ones. */
  get all(): SchemaNode {
    return { ...this.#definitions, ...Object.fromEntries(this.#derivedDefinitions) };
  }

  /** Adds the definitions that a derived schema references. */
  complete<S extends SchemaNode>(schema: S): S {
    const { all } = this;
    return Object.keys(all).length === 0 ? schema : withDefinitions(schema, all);
  }

  #nameFor(name: string): string {
    const wanted = name + this.#suffix;
    let own = wanted;
    for (let count = 2; Object.hasOwn(this.#definitions, own) || this.#given.has(own); count += 1)
      own = `${wanted}_${count}`;
    this.#given.add(own);
    return own;
  }
}

/** Returns the name of the referenced definition; empty for other references, also into one. */
function nameIn(reference: string): string {
  const [name = '', ...below] = definitionPath(reference);
  return below.length === 0 ? name : '';
}
