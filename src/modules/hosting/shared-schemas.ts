import type { TSchema } from '@sinclair/typebox';
import {
  immutable,
  isSchema,
  mapSubschemas,
  resolveReference,
  StartError,
  withDefinitions,
  type SchemaNode,
} from '../../framework';
import { assertNoCircles } from './circular-schemas';
import {
  addressed,
  asDeclared,
  assertTargets,
  refersToShared,
  sharedName,
  withRoot,
  type Definitions,
} from './shared-references';

/** A schema that says what a shared one says, and perhaps more about it; always the same object. */
export interface SharedUse {
  readonly schema: SchemaNode;
  readonly name: string;
  /** What is said beside the reference: texts and examples. */
  readonly beside: SchemaNode;
}

/** Shared schemas that one has picked out for itself; one that leads to more has all of them, which costs nothing. */
const MOST_PICKED = 200;

/** References that one parameter may lead to, all together: each may lead to several, so that they multiply. */
const MOST_INLINED = 1_000;

/**
 * The schemas that the operations of one version of an API share. A schema that refers to them (`#/schemas/Money`)
 * becomes one that is complete in itself: it has those that it leads to as its `$defs`, each the same object wherever
 * it is needed, so that they cost nothing again and are recognised.
 */
export class SharedSchemas {
  /** By name; they refer to one another as `#/$defs/…`. Frozen to the bottom. */
  readonly definitions: Definitions;
  readonly #names: ReadonlySet<string>;
  readonly #bare = new Map<string, SchemaNode>();
  readonly #uses: SharedUse[] = [];

  /**
   * @param declared by name, as the version says them
   * @param where names the version, for messages
   * @throws StartError for a reference to what is not there, and for one that leads back without a step into a value
   */
  constructor(declared: Definitions, where: string) {
    this.#names = new Set(Object.keys(declared));
    const definitions = Object.entries(declared).map(([name, schema]): [string, SchemaNode] => {
      const made = addressed(schema, this.#names, `${where}: schemas.${name}`, relocated(name, schema));
      // As one of several it is no document of its own.
      const { $id: _, ...own } = made;
      return [name, immutable(own)];
    });
    this.definitions = immutable(Object.fromEntries(definitions));
    for (const [name, schema] of definitions)
      assertTargets(schema, this.definitions, `${where}: schemas.${name}`);
    assertNoCircles(this.definitions, where);
  }

  /** The schemas made so far that say what a shared one says. */
  get uses(): readonly SharedUse[] {
    return this.#uses;
  }

  /**
   * A schema with all that it leads to as its `$defs`; the same where it refers to none that is shared.
   * @param where names its place, for messages
   * @throws StartError for a reference to what is not there
   */
  complete<S extends TSchema>(schema: S, where: string): S {
    // Of the same kind as what was given: only references in it lead elsewhere.
    return (refersToShared(schema) ? this.#complete(schema, where) : schema) as S;
  }

  #complete(schema: SchemaNode, where: string): SchemaNode {
    const made = this.#addressed(schema, where);
    const own = isSchema(made.$defs) ? made.$defs : {};
    const twice = Object.keys(own).find((one) => Object.hasOwn(this.definitions, one));
    if (twice !== undefined) {
      throw new StartError(
        `${where} has its own "${twice}" in "$defs", and the version shares a schema of that name. Give one of them another name.`,
      );
    }
    const name = sharedName(made, this.definitions);
    if (name === undefined) {
      const all = Object.keys(own).length === 0 ? this.definitions : { ...this.definitions, ...own };
      return withDefinitions(withRoot(made, this.definitions), all, MOST_PICKED);
    }
    const { $ref: _, ...beside } = made;
    return this.#used(name, beside);
  }

  #used(name: string, beside: SchemaNode): SchemaNode {
    const isBare = Object.keys(beside).length === 0;
    const known = isBare ? this.#bare.get(name) : undefined;
    if (known !== undefined) return known;
    const said = immutable(beside);
    const whole = withRoot({ $ref: `#/$defs/${name}`, ...said }, this.definitions);
    const schema = immutable(withDefinitions(whole, this.definitions, MOST_PICKED));
    this.#uses.push({ schema, name, beside: said });
    if (isBare) this.#bare.set(name, schema);
    return schema;
  }

  /**
   * The same for what cannot have `$defs`, as parameters: references are replaced by what they lead to.
   * @throws StartError for one that is not there, and for one that leads back to itself
   */
  flat<S extends TSchema>(schema: S, where: string): S {
    if (!refersToShared(schema)) return schema;
    const made = this.#addressed(schema, where);
    let left = MOST_INLINED;
    const inlined = (one: SchemaNode, around: readonly string[]): SchemaNode => {
      const { $ref: reference, ...beside } = one;
      const inner = { ...beside, ...mapSubschemas(beside, (part) => inlined(part, around)) };
      if (typeof reference !== 'string') return inner;
      const target = resolveReference({ $defs: this.definitions }, reference);
      if (target === undefined) return { ...inner, $ref: reference };
      left -= 1;
      if (around.includes(reference) || left < 0) {
        const what = left < 0 ? `more than ${MOST_INLINED} others` : 'itself';
        throw new StartError(
          `${where}: "${asDeclared(reference)}" leads to ${what}, which is too much for a parameter. Write out what the parameter is.`,
        );
      }
      return { ...inlined(target, [...around, reference]), ...inner };
    };
    // What stands for a reference is what the reference is to.
    return inlined(made, []) as S;
  }

  #addressed(schema: SchemaNode, where: string): SchemaNode {
    const made = addressed(schema, this.#names, where);
    assertTargets(made, this.definitions, where);
    return made;
  }
}

/** What a shared schema says of itself leads elsewhere, as one of several it is no root any more. */
function relocated(name: string, { $id: id }: SchemaNode): (reference: string) => string {
  const here = `#/$defs/${name}`;
  return (reference) => {
    if (reference === '#' || reference === id) return here;
    return reference.startsWith('#/') ? here + reference.slice(1) : reference;
  };
}
