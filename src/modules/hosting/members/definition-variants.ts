import type { SchemaNode } from '../../../framework';
import { NO_NAMES, type MemberChanges, type OptionalNames } from './member-changes';
import { alwaysRequired, countsMembers, requiredOrShown } from './required-or-shown';

/** A definition, rewritten for names that a schema around its reference makes optional. */
export interface DefinitionVariant {
  /** The names that matter to the definition. */
  readonly names: OptionalNames;
  /** Identifies the variant; empty for the definition as it is rewritten by itself. */
  readonly key: string;
  /** What the schema with the reference must require, because the variant does not. */
  readonly required: readonly string[];
}

const ITSELF: DefinitionVariant = { names: NO_NAMES, key: '', required: [] };

/** Variants of a definition; further references share one that requires and shows no member. */
const MAX_VARIANTS = 16;

/** Chooses the variants of definitions: one for each set of names that matter to it. */
export class DefinitionVariants {
  readonly #root: SchemaNode;
  readonly #changes: MemberChanges;
  readonly #inUnion: boolean;
  readonly #named = new Map<SchemaNode, ReadonlySet<string>>();
  readonly #counting = new Map<SchemaNode, boolean>();
  readonly #keys = new Map<SchemaNode, Set<string>>();

  /** @param root resolves references */
  constructor(root: SchemaNode, changes: MemberChanges, inUnion: boolean) {
    this.#root = root;
    this.#changes = changes;
    this.#inUnion = inUnion;
  }

  /** @param optional names that must not be required of the value by the definition either */
  of(definition: SchemaNode, optional: OptionalNames): DefinitionVariant {
    if (optional.changed.size + optional.defaulted.size === 0) return ITSELF;
    const own = this.#changes.ownNames(definition, this.#inUnion);
    const named = this.#namedBy(definition);
    const counts = this.#counts(definition);
    const missing = (kind: keyof OptionalNames, matters: (name: string) => boolean): readonly string[] =>
      [...optional[kind]].filter((name) => !own[kind].has(name) && matters(name));
    const changed = missing('changed', (name) => counts || named.has(name));
    const defaulted = missing('defaulted', (name) => named.has(name));
    if (changed.length + defaulted.length === 0) return ITSELF;
    const variant = variantOf(changed, defaulted);
    const keys = this.#keys.get(definition) ?? new Set();
    this.#keys.set(definition, keys);
    if (keys.size < MAX_VARIANTS) keys.add(variant.key);
    if (keys.has(variant.key)) return variant;
    const required = alwaysRequired(this.#root, definition);
    return {
      ...variantOf(
        [...named].filter((name) => !own.changed.has(name)),
        [],
      ),
      required: [...required].filter((name) => !optional.changed.has(name) && !optional.defaulted.has(name)),
    };
  }

  #counts(definition: SchemaNode): boolean {
    const counts = this.#counting.get(definition) ?? countsMembers(this.#root, definition);
    this.#counting.set(definition, counts);
    return counts;
  }

  #namedBy(definition: SchemaNode): ReadonlySet<string> {
    const known = this.#named.get(definition);
    if (known !== undefined) return known;
    const named = requiredOrShown(this.#root, definition);
    this.#named.set(definition, named);
    return named;
  }
}

function variantOf(changed: readonly string[], defaulted: readonly string[]): DefinitionVariant {
  const names = { changed: new Set(changed), defaulted: new Set(defaulted) };
  return { names, key: JSON.stringify([[...changed].sort(), [...defaulted].sort()]), required: [] };
}
