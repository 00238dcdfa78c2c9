/** Maximum depth of causes that are checked. */
const MAX_CAUSES = 5;

/**
 * Whether an error, or a cause of it, says that a signal was aborted, by the name that such errors have in Node.js and of
 * `fetch`. Never throws, also for a value whose getters do.
 */
export function isAbortError(error: unknown): boolean {
  let cause = error;
  try {
    for (let depth = 0; depth < MAX_CAUSES && typeof cause === 'object' && cause !== null; depth++) {
      if (Reflect.get(cause, 'name') === 'AbortError') return true;
      cause = Reflect.get(cause, 'cause');
    }
  } catch {
    // It cannot be inspected.
  }
  return false;
}
