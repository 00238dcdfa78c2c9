// How long a task keeps the requests of other clients waiting.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.mjs';

/** Milliseconds between two requests. */
const PAUSE = 2;

/**
 * The longest that a request waits while a task runs, in milliseconds.
 * @param {number} port @param {string} request of another client @param {() => Promise<void>} task
 */
export async function longestWait(port, request, task) {
  let longest = 0;
  let isRunning = true;
  const others = (async () => {
    while (isRunning) {
      const start = performance.now();
      await ask(port, request);
      longest = Math.max(longest, performance.now() - start);
      await sleep(PAUSE);
    }
  })();
  try {
    await task();
  } finally {
    isRunning = false;
    await others;
  }
  return longest;
}
