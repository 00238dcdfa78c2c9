import { setFlagsFromString } from 'node:v8';

/** What a process does: load and keep compiled code, start (or build something large), or respond to requests. */
type Phase = 'loading' | 'start' | 'requests';

/** A flag of V8 with its values; V8's default is that of every phase without a value. */
interface Flag extends Partial<Readonly<Record<Phase, number>>> {
  readonly name: string;
  readonly normal: number;
}

/**
 * How much bytecode V8 copies into one function that it optimizes. A request passes small functions of many modules: with
 * more of them in one function, it takes about 4% less processor time. Compiling takes twice the time, in the first seconds
 * under load. Beyond 3,000 nothing more is gained.
 */
const INLINING: Flag = { name: 'max-inlined-bytecode-size-cumulative', normal: 920, requests: 3_000 };

/**
 * By the major version of V8: the flags whose defaults are known, so that they can be restored. What a function has to
 * execute before V8 optimizes it is changed only where a start with 1,000 services gains from it.
 */
const FLAGS: Readonly<Record<string, readonly Flag[]>> = {
  // Node 20: how much of a function runs, in bytes of its bytecode.
  11: [INLINING, { name: 'interrupt-budget', normal: 67_584, start: 1_000_000 }],
  // Node 22: the same, in multiples of its bytecode.
  12: [INLINING, { name: 'invocation-count-for-turbofan', normal: 3_000, start: 30_000 }],
  // Node 24 and 26.
  13: [INLINING],
  14: [INLINING],
};

let current: Phase = 'loading';

/** Without those that an operator has set: their values could not be restored. */
function changeableFlags(): readonly Flag[] {
  const { versions, execArgv } = process;
  if ('bun' in versions || 'deno' in versions) return [];
  const flags = FLAGS[versions.v8.split('.', 1)[0] ?? ''] ?? [];
  return flags.filter(({ name }) => !execArgv.some((one) => one.replaceAll('_', '-').includes(name)));
}

let changeable: readonly Flag[] | undefined;

function change(to: Phase): void {
  const changed = (changeable ??= changeableFlags()).filter(
    (flag) => (flag[to] ?? flag.normal) !== (flag[current] ?? flag.normal),
  );
  // One call for all flags: each takes 14 µs.
  if (changed.length > 0)
    setFlagsFromString(changed.map((flag) => `--${flag.name}=${flag[to] ?? flag.normal}`).join(' '));
  current = to;
}

/**
 * Runs the start of a process that serves nothing else, in which V8 optimizes functions later than usual. A start calls
 * thousands of functions with objects of ever new shapes: for most of what V8 would optimize it soon meets another shape, and
 * compiles again. Afterwards, V8 optimizes for requests; the functions that the start has called, a little later.
 */
export async function withFlagsOfStart<T>(start: () => Promise<T>): Promise<T> {
  change('start');
  // Node keeps compiled code of its own at the end.
  process.once('exit', () => change('loading'));
  let next: Phase = 'loading';
  try {
    const result = await start();
    next = 'requests';
    return result;
  } finally {
    change(next);
  }
}

/** Runs a part of large work, such as the documentation of a thousand services, as the start. */
export function partWithFlagsOfStart<T>(part: () => T): T {
  return during('start', part);
}

/** Loads or keeps compiled code, at any time: V8 accepts only code that was compiled with the same flags. */
export function withNormalFlags<T>(work: () => T): T {
  return during('loading', work);
}

function during<T>(phase: Phase, work: () => T): T {
  const before = current;
  if (before === phase) return work();
  change(phase);
  try {
    return work();
  } finally {
    change(before);
  }
}
