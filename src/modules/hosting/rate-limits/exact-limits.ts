import type { ExactCounts, LimitResult, LimitUse } from '../../../framework';
import type { AppliedLimit } from './rate-limits';

/** A limit, and the client that a request counts for. */
export interface ClientUse {
  readonly limit: AppliedLimit;
  readonly key: string;
  /** Whether the request is counted if all limits allow it; otherwise it is only compared. */
  readonly isCounted: boolean;
}

/**
 * Counts a request in the deployment if all exact limits allow it.
 * @param asked uses of exact limits
 * @returns by limit; undefined if the deployment cannot be reached
 */
export async function takeExactly(
  exact: ExactCounts,
  asked: readonly ClientUse[],
): Promise<ReadonlyMap<AppliedLimit, LimitResult> | undefined> {
  if (asked.length === 0) return new Map();
  const results = await exact.take(asked.map(toLimitUse));
  if (results === undefined) return undefined;
  return new Map(
    asked.flatMap(({ limit }, at) => {
      const result = results[at];
      return result === undefined ? [] : [[limit, result] as const];
    }),
  );
}

/** Counts a request that has been refused already, whatever is left. Nobody waits for it. */
export function forceExactly(exact: ExactCounts, limits: readonly AppliedLimit[], key: string): void {
  const uses = limits.flatMap((limit) =>
    limit.isExact ? [{ ...toLimitUse({ limit, key, isCounted: true }), limit: Number.MAX_SAFE_INTEGER }] : [],
  );
  if (uses.length > 0) void exact.take(uses);
}

function toLimitUse({ limit: { name, window, limit, weight }, key, isCounted }: ClientUse): LimitUse {
  return { key: `${name}:${key}`, window, limit, weight, isCounted };
}
