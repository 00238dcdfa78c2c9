/** Read once: the clock of the system may be set while the process runs. */
const ORIGIN = performance.timeOrigin;

/**
 * Milliseconds since the epoch by the clock that the process started with. Unlike `Date.now()`, it is never set forward
 * or back: for lifetimes, timeouts and windows.
 */
export function steadyNow(): number {
  return ORIGIN + performance.now();
}
