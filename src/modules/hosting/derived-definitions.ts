import { isSchema, withDefinitions, type SchemaNode } from '../../framework';

/** Makes another schema of one; the same object where it would be no other. */
export type Derive = (schema: SchemaNode, derived: DerivedDefinitions) => SchemaNode;

const REFERENCE = /^#\/\$defs\/([^/]+)$/;

/**
 * The definitions of a schema that is derived from another one: what is derived from a whole is derived from what it
 * refers to, too. A definition that would be another stands beside the first, which may be needed as it was, under a
 * name of its own.
 */
export class DerivedDefinitions {
  readonly #definitions: SchemaNode;
  readonly #suffix: string;
  readonly #derive: Derive;
  /** Of definitions that were looked at: their names, or undefined while they are. */
  readonly #names = new Map<string, string | undefined>();
  readonly #made = new Map<string, SchemaNode>();

  /** @param suffix what the names of definitions get that become others */
  constructor(root: SchemaNode, suffix: string, derive: Derive) {
    this.#definitions = isSchema(root.$defs) ? root.$defs : {};
    this.#suffix = suffix;
    this.#derive = derive;
  }

  /** The definition that a reference leads to; undefined for any other reference. */
  at(reference: unknown): SchemaNode | undefined {
    const [, name = ''] = typeof reference === 'string' ? (REFERENCE.exec(reference) ?? []) : [];
    const held = Object.hasOwn(this.#definitions, name) ? this.#definitions[name] : this.#made.get(name);
    return isSchema(held) ? held : undefined;
  }

  /** A reference to what is derived from what another one leads to: the same where that is no other. */
  reference(reference: string): string {
    const [, name = ''] = REFERENCE.exec(reference) ?? [];
    const definition = this.#definitions[name];
    if (!isSchema(definition)) return reference;
    if (!this.#names.has(name)) {
      // One that holds itself is another where anything else in it is: what refers to it would tell of it only later.
      const own = this.#nameFor(name);
      this.#names.set(name, own);
      const made = this.#derive(definition, this);
      if (made === definition) this.#names.set(name, name);
      else this.#made.set(own, made);
    }
    return `#/$defs/${this.#names.get(name) ?? name}`;
  }

  /** A schema that was derived, with the definitions that it leads to. */
  complete<S extends SchemaNode>(schema: S): S {
    if (Object.keys(this.#definitions).length === 0) return schema;
    return withDefinitions(schema, { ...this.#definitions, ...Object.fromEntries(this.#made) });
  }

  #nameFor(name: string): string {
    const wanted = name + this.#suffix;
    let own = wanted;
    for (let count = 2; Object.hasOwn(this.#definitions, own) || this.#made.has(own); count += 1)
      own = `${wanted}_${count}`;
    return own;
  }
}
