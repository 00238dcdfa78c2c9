// Computes figures from rounds: of each row, and of the targets.
import { median, paired, quiet } from '../measure/rounds.mjs';

const rate = (own, other) => own.rate / other.rate;
const byCpu = (own, other) => other.cpu / own.cpu;

/** Latencies that differ by less than five percent are equal. */
const NOISE = 1.05;

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

/**
 * The targets of the workload, and their results.
 * @returns {{ workload: string, target: string, ours: string, 'best peer': string, met: string }[]}
 */
export function verdictsOf(workload, rows, results) {
  const share = (name, of) => paired(results.get(name), results.get(of), rate);
  const p99 = (name) => median(quiet(results.get(name)).map((round) => round.p99));
  /** Peers with the same features as the row: those with log and headers if ours has them, where there are any. */
  const peersOf = (own) => {
    const peers = rows.filter(
      ({ name, ours, base = own.base }) => !ours && !name.startsWith('bare ') && base === own.base,
    );
    if (own.rival !== undefined) return peers.filter(({ name }) => name === own.rival);
    const alike = peers.filter(({ complete = false }) => complete === (own.complete ?? false));
    return alike.length > 0 ? alike : peers;
  };
  const best = (own, figure, better) =>
    peersOf(own)
      .map(({ name }) => ({ name, figure: figure(name) }))
      .sort((a, b) => better(a.figure, b.figure))[0];
  const measured = workload.targets.filter(({ row, of }) => results.has(row) && results.has(of));
  const shares = measured.map(({ row, of, atLeast }) => {
    const reached = share(row, of);
    const peer = best(
      rows.find(({ name }) => name === row),
      (name) => share(name, of),
      (a, b) => b - a,
    );
    return {
      workload: `${workload.title}, ${row}`,
      target: `≥ ${atLeast} of ${of}`,
      ours: reached.toFixed(2),
      'best peer':
        peer === undefined ? '' : `${peer.figure.toFixed(peer.figure < 0.1 ? 3 : 2)} (${peer.name})`,
      met: reached >= atLeast ? 'yes' : 'no',
    };
  });
  const latencies = rows
    .filter((row) => row.ours && peersOf(row).length > 0)
    .map((row) => {
      const quickest = best(row, p99, (a, b) => a - b);
      return {
        workload: `${workload.title}, ${row.name}`,
        target: 'p99 no worse than the best peer’s',
        ours: `${p99(row.name).toFixed(2)} ms`,
        'best peer': `${quickest.figure.toFixed(2)} ms (${quickest.name})`,
        met: p99(row.name) <= quickest.figure * NOISE ? 'yes' : 'no',
      };
    });
  return [...shares, ...latencies];
}
