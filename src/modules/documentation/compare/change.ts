/** What a change is about. */
export type Subject =
  | 'service'
  | 'route'
  | 'operation'
  | 'access'
  | 'deprecation'
  | 'parameter'
  | 'field'
  | 'request field'
  | 'response field'
  | 'request type'
  | 'response type'
  | 'status';

/** One difference between two versions of an API. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly subject: Subject;
  readonly service: string;
  /** The operation's address in the page of its service, e.g. `GET-entity`; null for what concerns the service. */
  readonly anchor: string | null;
  /** Method and path of the operation, as the newer side has it where both do; null with the anchor. */
  readonly operation: string | null;
  /** Of the parameter, field (with the names that lead to it), type or status; empty for the thing itself. */
  readonly name: string;
  /** In words; empty where there is nothing to add. */
  readonly detail: string;
  /** Whether a client that worked before may not work after. */
  readonly breaking: boolean;
}

/** A change before it is known where. */
export type Difference = Pick<Change, 'kind' | 'subject' | 'name' | 'detail' | 'breaking'>;

/** What two lists have in common by a key, and what each has alone. */
export function matched<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): {
  readonly removed: readonly T[];
  readonly added: readonly T[];
  readonly both: readonly (readonly [before: T, after: T])[];
} {
  const olds = new Map(before.map((item) => [keyOf(item), item]));
  const news = new Map(after.map((item) => [keyOf(item), item]));
  return {
    removed: [...olds].filter(([key]) => !news.has(key)).map(([, item]) => item),
    added: [...news].filter(([key]) => !olds.has(key)).map(([, item]) => item),
    both: [...news].flatMap(([key, item]) => {
      const old = olds.get(key);
      return old === undefined ? [] : [[old, item] as const];
    }),
  };
}
