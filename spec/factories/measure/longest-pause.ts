/** Runs of the task: what happens once in a process, like compiling its functions, does not count. */
const RUNS = 3;

/**
 * The longest CPU time for which this process served nothing else while a task ran, as a share of the CPU time of the
 * task: 1 if it never served anything else. Neither the speed of the machine nor other processes matter. The least of
 * several runs.
 */
export async function longestPauseShare(task: (run: number) => Promise<unknown>): Promise<number> {
  const shares: number[] = [];
  for (let run = 0; run < RUNS; run++) shares.push(await shareOf(() => task(run)));
  return Math.min(...shares);
}

async function shareOf(task: () => Promise<unknown>): Promise<number> {
  let [last, longest, total] = [process.cpuUsage(), 0, 0];
  const measure = (): void => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    longest = Math.max(longest, user + system);
    total += user + system;
  };
  const timer = setInterval(measure, 1);
  await task();
  clearInterval(timer);
  measure();
  return longest / total;
}
