import {
  definitionPath,
  definitionReference,
  isSchema,
  withDefinitions,
  type SchemaNode,
} from '../../../framework';

/** Derives a schema; returns the same object if nothing changes. */
export type Derive = (schema: SchemaNode, derived: DerivedDefinitions) => SchemaNode;

/** Definitions that are derived within others; a chain of hundreds would overflow the stack. */
const MAX_DEPTH = 100;

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
  #depth = 0;
  /** Derive the definitions that are nested too deeply; these count as changed. */
  readonly #postponed: (() => void)[] = [];

  /** @param suffix suffix for the names of changed definitions */
  constructor(root: SchemaNode, suffix: string, derive: Derive) {
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

  /**
   * Returns a reference to the derived definition: the same reference if it did not change.
   * @param variant what `derive` depends on, other than the definition
   */
  reference(reference: string, derive = this.#derive, variant = ''): string {
    const name = nameIn(reference);
    const definition = this.#definitions[name];
    if (!isSchema(definition)) return reference;
    const key = JSON.stringify([name, variant]);
    let own = this.#names.get(key);
    if (own === undefined) {
      // A recursive definition gets its new name before it is known whether it changes.
      const given = this.#nameFor(name);
      own = given;
      this.#names.set(key, own);
      if (this.#depth < MAX_DEPTH) {
        this.#depth += 1;
        const made = derive(definition, this);
        this.#depth -= 1;
        if (made === definition) {
          this.#names.set(key, (own = name));
          this.#given.delete(given);
        } else this.#derivedDefinitions.set(own, made);
      } else this.#postponed.push(() => this.#derivedDefinitions.set(given, derive(definition, this)));
    }
    return own === name ? reference : definitionReference(own);
  }

  /** The definitions by name, including derived ones. */
  get all(): SchemaNode {
    // Each may postpone others.
    for (let next = this.#postponed.pop(); next !== undefined; next = this.#postponed.pop()) next();
    return { ...this.#definitions, ...Object.fromEntries(this.#derivedDefinitions) };
  }

  /** Adds the definitions that a derived schema references. */
  complete<S extends SchemaNode>(schema: S): S {
    if (Object.keys(this.#definitions).length === 0) return schema;
    return withDefinitions(schema, this.all);
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
