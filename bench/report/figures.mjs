// Computes the figures of each row from its rounds.
import { median, paired, quiet } from '../measure/rounds.mjs';

/** The share of requests per second, in a round. */
export const rate = (own, other) => own.rate / other.rate;
const byCpu = (own, other) => other.cpu / own.cpu;

/**
 * A line for each row: medians, and the medians of the ratios of each round.
 * @param {import('../workloads/workload.mjs').Workload} workload
 * @param {import('../workloads/workload.mjs').WorkloadRow[]} rows
 * @param {Map<string, import('../measure/rounds.mjs').Round[]>} results
 */
export function figuresOf(workload, rows, results) {
  return rows.map(({ name, base = workload.base }) => {
    const own = results.get(name);
    const other = results.get(base);
    const mid = (figure) => median(quiet(own).map(figure));
    const share = (ratio) => (name === base ? '' : paired(own, other, ratio).toFixed(2));
    return {
      server: name,
      'requests/s': Math.round(mid((round) => round.rate)),
      share: share(rate),
      'by CPU': share(byCpu),
      'p99 ms': mid(({ p99 }) => p99).toFixed(2),
      'CPU µs': mid(({ cpu }) => cpu).toFixed(1),
      'core busy': `${Math.round(mid(({ core }) => core) * 100)}%`,
      unexpected: own.reduce((sum, { failed }) => sum + failed, 0),
      'quiet rounds': `${own.filter(({ foreign }) => !foreign).length} of ${own.length}`,
    };
  });
}
