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
  // Node 22: the same, in multiples of its bytecode.
  12: ['invocation-count-for-turbofan', 30_000, 3_000],
};

let isLater = false;

/** Undefined where V8 is unknown, or an operator has set the flag: its value could not be restored. */
function flagToChange(): Flag | undefined {
  const { versions, execArgv } = process;
  if ('bun' in versions || 'deno' in versions) return undefined;
  const flag = FLAGS[versions.v8.split('.', 1)[0] ?? ''];
  const isSet = execArgv.some((one) => flag !== undefined && one.replaceAll('_', '-').includes(flag[0]));
  return isSet ? undefined : flag;
}

function optimize(when: 'later' | 'normally'): void {
  const flag = flagToChange();
  if (flag === undefined) return;
  const [name, later, normal] = flag;
  isLater = when === 'later';
  setFlagsFromString(`--${name}=${isLater ? later : normal}`);
}

/**
 * Runs the start of a process that serves nothing else, in which V8 optimizes functions later than usual. A start calls
 * thousands of functions with objects of ever new shapes: for most of what V8 would optimize it soon meets another shape, and
 * compiles again. Afterwards, V8 optimizes as usual, but for the functions that the start has called: those a little later.
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
