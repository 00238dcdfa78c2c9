// Memory is measured in a process of its own: in one that runs tests, collections free what earlier suites left.

/** What one collection leaves of much that was dropped at once, the next one may free: in bytes, too little to matter. */
const LITTLE = 100_000;

/** In bytes, without what could be dropped. Needs `node --expose-gc`. */
export function usedMemory() {
  const collected = () => {
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  let used = collected();
  for (let tries = 0; tries < 20; tries++) {
    const now = collected();
    if (used - now < LITTLE) return now;
    used = now;
  }
  return used;
}
