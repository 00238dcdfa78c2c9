import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

/** Fields of one tree that a page shows; the schema has the others. */
const MAX_FIELDS = 300;

/** A field with its visible members. */
interface ShownField extends ShownFields {
  readonly field: Field;
}

/** The visible part of a list of fields. */
export interface ShownFields {
  readonly fields: readonly ShownField[];
  /** The number of hidden fields; undefined if unknown. */
  readonly more: number | undefined;
}

/** A node of the result: its members, and the visible ones. */
interface Draft {
  readonly members: readonly Field[];
  readonly cut: boolean;
  readonly shown: (Draft & { readonly field: Field })[];
}

/**
 * Limits a tree of fields, level by level: a large tree keeps its upper levels
 * and the first fields of the next one.
 *
 * @param most visible fields
 * @example
 * shownFields(service.getFields()).fields.map(({ field }) => field.getName()); // ['name', 'location']
 */
export function shownFields(fields: readonly Field[], most = MAX_FIELDS): ShownFields {
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

/**
 * Whether the request fields of an operation are those of its service, so that pages need not repeat them. False for
 * RPC services, whose operations have their own fields.
 */
export function hasServiceFields(service: Service, operation: Operation): boolean {
  if (service.getKind() === 'rpc') return false;
  const [own, others] = [operation.getFields(), service.getFields()];
  return own.length === others.length && own.every((field, at) => isSame(field, others[at]));
}

function isSame(field: Field, other: Field | undefined): boolean {
  return other !== undefined && (field === other || JSON.stringify(field) === JSON.stringify(other));
}
