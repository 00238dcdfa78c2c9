import { dereference, isAnnotated, isSchema, resolveReference, type SchemaNode } from '../../../framework';

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

/** Keywords with members that a schema declares next to a reference. */
const DECLARING = ['properties', 'patternProperties', 'allOf'];

/** Which members of the objects in a schema change. */
export class MemberChanges {
  readonly #root: SchemaNode;
  readonly #rewrite: MemberRewrite;
  /** The own names of definitions. */
  readonly #own = new Map<SchemaNode, OptionalNames>();
  readonly #ownInUnions = new Map<SchemaNode, OptionalNames>();

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

  /** Returns the names that must not be required of a value of a schema, in addition to those around it. */
  namesAround(schema: SchemaNode, around: OptionalNames, inUnion: boolean): OptionalNames {
    const { $ref: reference } = schema;
    if (typeof reference !== 'string') return this.#optionalNames(schema, around, inUnion);
    const target = DECLARING.some((keyword) => keyword in schema)
      ? undefined
      : resolveReference(this.#root, reference);
    if (target === undefined) return this.#optionalNames(dereference(this.#root, schema), around, inUnion);
    const { changed, defaulted } = this.ownNames(target, inUnion);
    return {
      changed: new Set([...changed, ...around.changed]),
      defaulted: new Set([...defaulted, ...around.defaulted]),
    };
  }

  /** Returns the names that a definition must not require. */
  ownNames(definition: SchemaNode, inUnion: boolean): OptionalNames {
    const known = inUnion ? this.#ownInUnions : this.#own;
    const found = known.get(definition);
    if (found !== undefined) return found;
    const names = this.#optionalNames(dereference(this.#root, definition), NO_NAMES, inUnion);
    known.set(definition, names);
    return names;
  }

  /** Collects the names that must not be required of a value. */
  #optionalNames(schema: SchemaNode, around: OptionalNames, inUnion: boolean, depth = 0): OptionalNames {
    const changed = new Set(around.changed);
    const defaulted = new Set(around.defaulted);
    for (const [name, member] of membersOf(schema)) {
      const resolved = dereference(this.#root, member);
      if (this.ofNamed(schema, name, member) !== 'keep') changed.add(name);
      else if (this.#rewrite.fillsDefaults && !inUnion && resolved.default !== undefined) defaulted.add(name);
    }
    const parts: readonly unknown[] = Array.isArray(schema.allOf) && depth < MAX_DEPTH ? schema.allOf : [];
    return parts.reduce<OptionalNames>(
      (found, part) => this.#optionalNames(dereference(this.#root, part), found, inUnion, depth + 1),
      { changed, defaulted },
    );
  }
}

export function membersOf({ properties }: SchemaNode): readonly [string, unknown][] {
  return isSchema(properties) ? Object.entries(properties) : [];
}
