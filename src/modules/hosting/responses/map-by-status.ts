const NONE: ReadonlyMap<number, never> = new Map<number, never>();

/** Maps values by status. The many operations that have none share one map. */
export function mapByStatus<T, U>(
  byStatus: ReadonlyMap<number, T>,
  map: (value: T) => U,
): ReadonlyMap<number, U> {
  return byStatus.size === 0
    ? NONE
    : new Map(Array.from(byStatus, ([status, value]) => [status, map(value)]));
}
