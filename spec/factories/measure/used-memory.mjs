// Memory is measured in a separate process: in one that runs tests, collections free what earlier suites left.

/** What one collection leaves after a large release may be freed by the next one: in bytes, negligible. */
const LITTLE = 100_000;

/** In bytes, after garbage collection. Needs `node --expose-gc`. */
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
