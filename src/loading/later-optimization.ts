import { setFlagsFromString } from 'node:v8';

/** A flag of V8: its name, its value during a start, and V8's default. */
type Flag = readonly [name: string, later: number, normal: number];

/**
 * What V8 waits for before it optimizes a function, by its major version. In newer versions than these, a start with 1,000
 * services gains nothing.
 */
const FLAGS: Readonly<Record<string, Flag>> = {
  // Node 20: how much of a function runs, in bytes of its bytecode.
  11: ['interrupt-budget', 1_000_000, 67_584],
  // Node 22: how often a function is called.
  12: ['invocation-count-for-turbofan', 30_000, 3_000],
};

let isLater = false;

function optimize(when: 'later' | 'normally'): void {
  const { versions } = process;
  const flag =
    'bun' in versions || 'deno' in versions ? undefined : FLAGS[versions.v8.split('.', 1)[0] ?? ''];
  if (flag === undefined) return;
  const [name, later, normal] = flag;
  isLater = when === 'later';
  setFlagsFromString(`--${name}=${isLater ? later : normal}`);
}

/**
 * Runs the start of a process that serves nothing else, in which V8 optimizes functions later than usual. A start calls
 * thousands of functions with objects of ever new shapes: for most of what V8 would optimize it soon meets another shape, and
 * compiles again. Requests, of which there may be many at once, are optimized as usual.
 */
export async function withLaterOptimization<T>(start: () => Promise<T>): Promise<T> {
  optimize('later');
  try {
    return await start();
  } finally {
    optimize('normally');
  }
}

/** Runs a part of large work, such as the documentation of a thousand services, in the same way. */
export function partWithLaterOptimization<T>(part: () => T): T {
  return during('later', part);
}

/** Loads or keeps compiled code, also in such work: V8 accepts only code that was compiled with the same flags. */
export function withNormalFlags<T>(work: () => T): T {
  return during('normally', work);
}

function during<T>(when: 'later' | 'normally', work: () => T): T {
  if (isLater === (when === 'later')) return work();
  optimize(when);
  try {
    return work();
  } finally {
    optimize(when === 'later' ? 'normally' : 'later');
  }
}
