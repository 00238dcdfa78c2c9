import type { TSchema } from '@sinclair/typebox';
import {
  immutable,
  inlinedSchema,
  isSchema,
  MAX_INLINED,
  resolveReference,
  ConfigurationError,
  withDefinitions,
  type SchemaNode,
} from '../../../../framework';
import {
  assertNoCircularReferences,
  resolveSharedReferences,
  declaredReference,
  assertTargets,
  hasSharedReferences,
  sharedName,
  resolveRoot,
  type Definitions,
} from './shared-references';

/** A use of a shared schema, perhaps with its own annotations; always the same object. */
export interface SharedUse {
  readonly schema: SchemaNode;
  readonly name: string;
  /** Annotations next to the reference. */
  readonly annotations: SchemaNode;
}

/** Shared schemas included individually; a schema that needs more includes all of them, as one shared object. */
const MAX_INCLUDED = 200;

/**
 * The schemas shared by the operations of an API version. A schema that references them (`#/schemas/Money`) is
 * completed with those it needs as its `$defs`. Each is the same object everywhere, so that it is compiled and
 * documented once.
 */
export class SharedSchemas {
  /** By name; deeply frozen. They reference each other as `#/$defs/…`. */
  readonly definitions: Definitions;
  readonly #names: ReadonlySet<string>;
  readonly #bare = new Map<string, SchemaNode>();
  readonly #uses: SharedUse[] = [];

  /**
   * @param declared shared schemas by name
   * @param where version name, for messages
   * @throws ConfigurationError for an unknown or circular reference
   */
  constructor(declared: Definitions, where: string) {
    this.#names = new Set(Object.keys(declared));
    const definitions = Object.entries(declared).map(([name, schema]): [string, SchemaNode] => {
      const made = resolveSharedReferences(
        schema,
        this.#names,
        `${where}: schemas.${name}`,
        relocation(name, schema),
      );
      // As a definition it is not a document of its own.
      const { $id: _, ...own } = made;
      return [name, immutable(own)];
    });
    this.definitions = immutable(Object.fromEntries(definitions));
    for (const [name, schema] of definitions)
      assertTargets(schema, this.definitions, `${where}: schemas.${name}`);
    assertNoCircularReferences(this.definitions, where);
  }

  /** The uses of shared schemas so far. */
  get uses(): readonly SharedUse[] {
    return this.#uses;
  }

  /**
   * Adds the shared schemas that a schema references as its `$defs`; returns the same object if there are none.
   * @param where location of the schema, for messages
   * @throws ConfigurationError for an unknown reference
   */
  complete<S extends TSchema>(schema: S, where: string): S {
    // The type is unchanged: only references are rewritten.
    return (hasSharedReferences(schema) ? this.#complete(schema, where) : schema) as S;
  }

  #complete(schema: SchemaNode, where: string): SchemaNode {
    const made = this.#resolve(schema, where);
    const own = isSchema(made.$defs) ? made.$defs : {};
    const duplicate = Object.keys(own).find((one) => Object.hasOwn(this.definitions, one));
    if (duplicate !== undefined) {
      throw new ConfigurationError(
        `${where} has its own "${duplicate}" in "$defs", but the version shares a schema of that name. Rename one of them.`,
      );
    }
    const name = sharedName(made, this.definitions);
    if (name === undefined) {
      const all = Object.keys(own).length === 0 ? this.definitions : { ...this.definitions, ...own };
      return withDefinitions(resolveRoot(made, this.definitions), all, MAX_INCLUDED);
    }
    const { $ref: _, ...beside } = made;
    return this.#use(name, beside);
  }

  #use(name: string, beside: SchemaNode): SchemaNode {
    const isBare = Object.keys(beside).length === 0;
    const known = isBare ? this.#bare.get(name) : undefined;
    if (known !== undefined) return known;
    const annotations = immutable(beside);
    const whole = resolveRoot({ $ref: `#/$defs/${name}`, ...annotations }, this.definitions);
    const schema = immutable(withDefinitions(whole, this.definitions, MAX_INCLUDED));
    this.#uses.push({ schema, name, annotations: annotations });
    if (isBare) this.#bare.set(name, schema);
    return schema;
  }

  /**
   * Inlines the references of a schema that cannot have `$defs`, such as a parameter.
   * @throws ConfigurationError for an unknown or circular reference
   */
  inline<S extends TSchema>(schema: S, where: string): S {
    if (!hasSharedReferences(schema)) return schema;
    const made = this.#resolve(schema, where);
    const root = { $defs: this.definitions };
    // The type is unchanged: references are replaced by their targets.
    return inlinedSchema(
      made,
      (reference) => resolveReference(root, reference),
      (reference, isRecursive) => {
        const what = isRecursive ? 'itself' : `more than ${MAX_INLINED} others`;
        throw new ConfigurationError(
          `${where}: "${declaredReference(reference)}" references ${what}, which a parameter cannot. Write out the schema of the parameter.`,
        );
      },
    ) as S;
  }

  #resolve(schema: SchemaNode, where: string): SchemaNode {
    const made = resolveSharedReferences(schema, this.#names, where);
    assertTargets(made, this.definitions, where);
    return made;
  }
}

/** References of a shared schema to itself are relocated, as it is no longer the root. */
function relocation(name: string, { $id: id }: SchemaNode): (reference: string) => string {
  const location = `#/$defs/${name}`;
  return (reference) => {
    if (reference === '#' || reference === id) return location;
    return reference.startsWith('#/') ? location + reference.slice(1) : reference;
  };
}
