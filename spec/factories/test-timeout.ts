/** Only a hanging test may exceed its timeout: in CI, it is three times as long, as the machine may be busy. */
const FACTOR = process.env.CI === 'true' ? 3 : 1;

/** Sets the timeout of the tests and hooks of a suite. @param seconds on a developer's machine */
export function setTestTimeout(seconds: number): void {
  jest.setTimeout(seconds * 1000 * FACTOR);
}

/** Milliseconds that a hook or test may take which starts servers. */
export const START_TIMEOUT_MS = 60_000 * FACTOR;
