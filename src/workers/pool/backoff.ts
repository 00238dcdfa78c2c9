/** Delays of repeated restarts, in milliseconds: at first, and at most. */
const FIRST_MS = 100;
const LAST_MS = 30_000;

/** A worker that served this long before it ended starts a new series, in milliseconds. */
export const STABLE_MS = 60_000;

/**
 * Returns how long to wait before a worker is started again, in milliseconds: exponentially longer, with jitter, so
 * that workers that fail together do not start together.
 * @param failures how often in a row it ended early, from 0
 * @param random from 0 to 1
 */
export function restartDelay(failures: number, random: number): number {
  const longest = Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(failures, 20));
  return Math.round(longest * (0.5 + random / 2));
}
