import { dereference, isAnnotated, isSchema, type SchemaNode } from '../../../framework';

/**
 * A change of an object member: `keep`, `optional` (never required), `remove`, or a replacement schema, which is
 * optional too.
 */
export type MemberChange = 'keep' | 'optional' | 'remove' | SchemaNode;

/** A rewrite of the objects in a schema. */
export interface MemberRewrite {
  /** Suffix for the names of rewritten definitions. */
  readonly suffix: string;
  /** Whether validators fill in defaults, which makes members with a default optional. */
  readonly fillsDefaults: boolean;
  /** The annotation of the members that change; undefined for none. */
  readonly annotation?: 'readOnly' | 'writeOnly';
  /** The change of a member with the annotation. */
  readonly change: MemberChange;
}

/** Names that must not be required by any schema of the same value. */
export interface OptionalNames {
  /** Changed members, which clients do not send or receive. */
  readonly changed: ReadonlySet<string>;
  /** Members whose default is filled in. */
  readonly defaulted: ReadonlySet<string>;
}

export const NO_NAMES: OptionalNames = { changed: new Set(), defaulted: new Set() };

/** Maximum depth of nested `allOf`: definitions may be recursive. */
const MAX_DEPTH = 32;

/** Which members of the objects in a schema change. */
export class MemberChanges {
  readonly #root: SchemaNode;
  readonly #rewrite: MemberRewrite;

  constructor(root: SchemaNode, rewrite: MemberRewrite) {
    this.#root = root;
    this.#rewrite = rewrite;
  }

  /** Returns the change of a member by its own annotation. */
  of(member: unknown): MemberChange {
    const { annotation, change } = this.#rewrite;
    return annotation !== undefined && isAnnotated(this.#root, member, annotation) ? change : 'keep';
  }

  /** A pattern may annotate members that have a name as well. */
  ofNamed({ patternProperties: patterns }: SchemaNode, name: string, member: unknown): MemberChange {
    const own = this.of(member);
    if (own !== 'keep' || !isSchema(patterns)) return own;
    const matching = Object.entries(patterns).filter(([pattern]) => new RegExp(pattern, 'u').test(name));
    return matching.map(([, one]) => this.of(one)).find((change) => change !== 'keep') ?? 'keep';
  }

  /** Collects the names that must not be required of a value. */
  optionalNames(schema: SchemaNode, around: OptionalNames, inUnion: boolean, depth = 0): OptionalNames {
    const changed = new Set(around.changed);
    const defaulted = new Set(around.defaulted);
    for (const [name, member] of membersOf(schema)) {
      const resolved = dereference(this.#root, member);
      if (this.ofNamed(schema, name, member) !== 'keep') changed.add(name);
      else if (this.#rewrite.fillsDefaults && !inUnion && resolved.default !== undefined) defaulted.add(name);
    }
    const parts: readonly unknown[] = Array.isArray(schema.allOf) && depth < MAX_DEPTH ? schema.allOf : [];
    return parts.reduce<OptionalNames>(
      (found, part) => this.optionalNames(dereference(this.#root, part), found, inUnion, depth + 1),
      { changed, defaulted },
    );
  }
}

export function membersOf({ properties }: SchemaNode): readonly [string, unknown][] {
  return isSchema(properties) ? Object.entries(properties) : [];
}
