/** The longest delay of Node's timers, in milliseconds: with a longer one, they run at once. */
const MAX_DELAY_MS = 2_147_483_647;

/** Returns the delay of a timer in milliseconds: that of the longest one, of 24 days, for all beyond it. */
export function timerDelay(seconds: number): number {
  return Math.min(seconds * 1_000, MAX_DELAY_MS);
}
