/** The kind of element that changed. */
export type ChangeSubject =
  | 'service'
  | 'route'
  | 'operation'
  | 'access'
  | 'deprecation'
  | 'parameter'
  | 'field'
  | 'request body'
  | 'request field'
  | 'response body'
  | 'response field'
  | 'request type'
  | 'response type'
  | 'status';

/** One difference between two versions of an API. */
export interface ApiChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly subject: ChangeSubject;
  readonly service: string;
  /** The operation's fragment in the page of its service, e.g. `GET-entity`; null for changes of the service. */
  readonly anchor: string | null;
  /** Method and path of the operation, in the newer version if both have it; null with the anchor. */
  readonly operation: string | null;
  /** The parameter, field (as a path), media type or status; empty for the subject itself. */
  readonly name: string;
  /** A description of the change; may be empty. */
  readonly detail: string;
  /** Whether clients may stop working. */
  readonly breaking: boolean;
}

/** A change without its location. */
export type Difference = Pick<ApiChange, 'kind' | 'subject' | 'name' | 'detail' | 'breaking'>;

/** Matches the items of two lists by key. */
export function matchByKey<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): {
  readonly removed: readonly T[];
  readonly added: readonly T[];
  readonly both: readonly (readonly [before: T, after: T])[];
} {
  const oldItems = new Map(before.map((item) => [keyOf(item), item]));
  const newItems = new Map(after.map((item) => [keyOf(item), item]));
  return {
    removed: [...oldItems].filter(([key]) => !newItems.has(key)).map(([, item]) => item),
    added: [...newItems].filter(([key]) => !oldItems.has(key)).map(([, item]) => item),
    both: [...newItems].flatMap(([key, item]) => {
      const old = oldItems.get(key);
      return old === undefined ? [] : [[old, item] as const];
    }),
  };
}
