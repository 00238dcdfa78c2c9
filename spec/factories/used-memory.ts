import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What one collection leaves of much that was thrown away at once, the next one may take: in bytes, too little to matter. */
const LITTLE = 100_000;

/** In bytes, without what could be thrown away. */
export function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const collected = (): number => {
    if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
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
