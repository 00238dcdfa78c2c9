import type { Field } from '../model/field';

/** Fields of one tree that a reader can take in; the schema has the others. */
const MOST_FIELDS = 300;

/** A field, and what is shown of its members. */
interface ShownField extends ShownFields {
  readonly field: Field;
}

/** What is shown of a list of fields. */
export interface ShownFields {
  readonly fields: readonly ShownField[];
  /** How many are not shown; undefined where that is not known, as only the schema tells them. */
  readonly more: number | undefined;
}

/** A place in the tree that is made: its members that may be shown, and those that are. */
interface Draft {
  readonly members: readonly Field[];
  readonly cut: boolean;
  readonly shown: (Draft & { readonly field: Field })[];
}

/**
 * As much of a tree of fields as a reader can take in, level by level: of a tree that is too large the upper levels,
 * and the first of the lowest of them.
 *
 * @param most fields that are shown
 * @example
 * shownFields(service.getFields()).fields.map(({ field }) => field.getName()); // ['name', 'location']
 */
export function shownFields(fields: readonly Field[], most = MOST_FIELDS): ShownFields {
  const root: Draft = { members: fields, cut: false, shown: [] };
  let left = most;
  for (let level: Draft[] = [root]; level.length > 0;) {
    const next: Draft[] = [];
    for (const place of level) {
      const taken = place.members.slice(0, left);
      left -= taken.length;
      for (const field of taken) {
        const draft = { field, members: field.getFields(), cut: field.isCut(), shown: [] };
        place.shown.push(draft);
        next.push(draft);
      }
    }
    level = next;
  }
  return finished(root);
}

function finished({ members, cut, shown }: Draft): ShownFields {
  return {
    fields: shown.map((draft) => ({ field: draft.field, ...finished(draft) })),
    more: cut ? undefined : members.length - shown.length,
  };
}
