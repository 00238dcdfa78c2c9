import { setFlagsFromString } from 'node:v8';

/** What a process does that V8 optimizes in its own way: starts, responds to requests, or builds something large meanwhile. */
type Phase = 'start' | 'requests' | 'part';

/** A flag of V8: its default, which holds in all other phases, also where compiled code is loaded and kept. */
interface Flag extends Partial<Readonly<Record<Phase, number>>> {
  readonly name: string;
  readonly normal: number;
}

/**
 * How much bytecode V8 copies into one function that it optimizes. A request passes small functions of many modules: with
 * more of them in one function, it takes about 4% less processor time. Compiling takes twice the time, in the first seconds
 * under load. Beyond 3,000 nothing more is gained.
 */
const INLINING: Flag = {
  name: 'max-inlined-bytecode-size-cumulative',
  normal: 920,
  requests: 3_000,
  // V8's threads read it while they compile, also functions of requests that were called between two parts.
  part: 3_000,
};

/** What a function has to execute before V8 optimizes it: more, where a start with 1,000 services gains from it. */
const later = (name: string, normal: number, more: number): Flag => ({
  name,
  normal,
  start: more,
  part: more,
});

/** By the major version of V8: the flags whose defaults are known, so that they can be restored. */
const FLAGS: Readonly<Record<string, readonly Flag[]>> = {
  // Node 20: how much of a function runs, in bytes of its bytecode.
  11: [INLINING, later('interrupt-budget', 67_584, 1_000_000)],
  // Node 22: the same, in multiples of its bytecode.
  12: [INLINING, later('invocation-count-for-turbofan', 3_000, 30_000)],
  // Node 24 and 26.
  13: [INLINING],
  14: [INLINING],
};

let current: Phase | 'normal' = 'normal';

/** Without those that an operator has set: their values could not be restored. None where V8 ends a process that changes one. */
function changeableFlags(): readonly Flag[] {
  const { versions, execArgv } = process;
  if ('bun' in versions || 'deno' in versions) return [];
  const given = execArgv.map((one) => one.replaceAll('_', '-'));
  const isGiven = (name: string): boolean => given.some((one) => one.includes(name));
  if (isGiven('freeze-flags-after-init')) return [];
  return (FLAGS[versions.v8.split('.', 1)[0] ?? ''] ?? []).filter(({ name }) => !isGiven(name));
}

let changeable: readonly Flag[] | undefined;

function change(to: typeof current): void {
  const valueIn = (phase: typeof current, flag: Flag): number => flag[phase] ?? flag.normal;
  const changed = (changeable ??= changeableFlags()).filter(
    (flag) => valueIn(to, flag) !== valueIn(current, flag),
  );
  // One call for all flags: each takes 14 µs.
  if (changed.length > 0)
    setFlagsFromString(changed.map((flag) => `--${flag.name}=${valueIn(to, flag)}`).join(' '));
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
  process.once('exit', () => change('normal'));
  let next: typeof current = 'normal';
  try {
    const result = await start();
    next = 'requests';
    return result;
  } finally {
    change(next);
  }
}

/** Runs a part of large work, such as the documentation of a thousand services, with later optimization as the start. */
export function partWithFlagsOfStart<T>(part: () => T): T {
  return during('part', part);
}

/**
 * Loads or keeps compiled code of the platform and of packages: V8 accepts only code that was compiled with the same flags.
 * What others load while requests are served, such as a thread or a module of Node itself, is compiled again.
 */
export function withNormalFlags<T>(work: () => T): T {
  return during('normal', work);
}

function during<T>(phase: typeof current, work: () => T): T {
  const before = current;
  if (before === phase) return work();
  change(phase);
  try {
    return work();
  } finally {
    change(before);
  }
}
