/** CPU time in milliseconds of all threads of this process while a task ran: other processes hardly affect it. */
export async function cpuTimeOf(task: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await task();
  return millisecondsSince(begun);
}

const ROUNDS = 5;
/** Tasks that are shorter are repeated, because a single run is too short to measure. */
const SHORTEST_MS = 5;

/**
 * How many times as much CPU time a task takes for the larger of two sizes: about the ratio of the sizes if it takes
 * linear time, its square if it takes quadratic time. The fastest of several rounds counts, so that the speed of the
 * machine and other processes do not matter.
 */
export function growthOf(task: (size: number) => unknown, small: number, large: number): number {
  const fastest = new Map([small, large].map((size) => [size, Infinity]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [size, before] of fastest)
      fastest.set(
        size,
        Math.min(
          before,
          costOf(() => task(size)),
        ),
      );
  return (fastest.get(large) ?? NaN) / (fastest.get(small) ?? NaN);
}

function costOf(task: () => unknown): number {
  for (let runs = 1; ; runs *= 2) {
    const begun = process.cpuUsage();
    for (let run = 0; run < runs; run++) task();
    const used = millisecondsSince(begun);
    if (used >= SHORTEST_MS) return used / runs;
  }
}

function millisecondsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
