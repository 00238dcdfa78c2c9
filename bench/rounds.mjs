// Interleaved rounds: every workload once a round, so that a machine whose speed drifts treats all alike.
import { load } from './load.mjs';

/**
 * @typedef {object} Workload
 * @property {string} name
 * @property {{ port: number, cpuSeconds(): number }} service
 * @property {() => string} next the bytes of the next request
 * @property {string} against the workload that this one is a share of
 */

/**
 * @param {Workload[]} workloads
 * @param {{ rounds: number, seconds: number, connections: number }} options
 */
export async function runRounds(workloads, { rounds, seconds, connections }) {
  const results = new Map(workloads.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, service, next } of workloads) {
      const before = service.cpuSeconds();
      const result = await load({
        port: service.port,
        connections,
        seconds: round < 0 ? Math.min(1, seconds) : seconds,
        next,
      });
      const cpu = ((service.cpuSeconds() - before) / result.requests) * 1e6;
      // The first round warms up, and does not count.
      if (round >= 0) results.get(name).push({ ...result, rate: result.requests / result.seconds, cpu });
    }
  }
  return results;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Prints a row for each workload: medians, and the median of the per-round shares. */
export function printTable(workloads, results) {
  const rows = workloads.map(({ name, against }) => {
    const own = results.get(name);
    const other = results.get(against);
    return {
      workload: name,
      'requests/s': Math.round(median(own.map(({ rate }) => rate))),
      'p99 ms': median(own.map(({ p99 }) => p99)).toFixed(2),
      'CPU µs': median(own.map(({ cpu }) => cpu)).toFixed(1),
      failed: own.reduce((sum, { failed }) => sum + failed, 0),
      share:
        against === name ? '' : median(own.map(({ rate }, round) => rate / other[round].rate)).toFixed(2),
      'share by CPU':
        against === name ? '' : median(own.map(({ cpu }, round) => other[round].cpu / cpu)).toFixed(2),
      of: against === name ? '' : against,
    };
  });
  const names = Object.keys(rows[0]);
  console.log(`| ${names.join(' | ')} |`);
  console.log(`|${names.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${names.map((name) => row[name]).join(' | ')} |`);
  return rows;
}
