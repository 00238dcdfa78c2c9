import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { assertNotAborted } from '../database-error';
import { failureOf, isBusy } from './sqlite-failure';
import type { RequestLimits } from './threads/thread-client';

const MAX_DELAY_MS = 25;

/**
 * Repeats an action while another connection holds the lock, with a growing delay and jitter.
 *
 * @throws the error of the action, or the last one when the time limit ends
 */
export async function retryWhileBusy<T>(
  action: (remaining: RequestLimits) => T | Promise<T>,
  { signal, timeout = Infinity }: RequestLimits,
): Promise<T> {
  const begin = performance.now();
  for (let longest = 2; ; longest = Math.min(longest * 2, MAX_DELAY_MS)) {
    const remaining = timeout - (performance.now() - begin);
    try {
      return await action({ signal, ...(timeout === Infinity ? {} : { timeout: Math.max(remaining, 1) }) });
    } catch (error) {
      if (remaining <= MAX_DELAY_MS || !isBusy(failureOf(error))) throw error;
    }
    await delay(1 + Math.random() * longest);
    assertNotAborted({ signal });
  }
}
