import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition: no longer than the test may take, after which Jest may exit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10, undefined, { ref: false });
}
