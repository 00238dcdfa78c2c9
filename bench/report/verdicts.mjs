// Compares the figures of rows with the targets of their workload, and with the best peer.
import { median, paired, quiet } from '../measure/rounds.mjs';
import { rate } from './figures.mjs';

/** Latencies that differ by less than five percent are equal. */
const NOISE = 1.05;

/**
 * The targets of the workload, and their results.
 * @param {import('../workloads/workload.mjs').Workload} workload
 * @param {import('../workloads/workload.mjs').WorkloadRow[]} rows
 * @param {Map<string, import('../measure/rounds.mjs').Round[]>} results
 * @returns {{ workload: string, target: string, ours: string, 'best peer': string, met: string }[]}
 */
export function verdictsOf(workload, rows, results) {
  const share = (name, of) => paired(results.get(name), results.get(of), rate);
  const p99 = (name) => median(quiet(results.get(name)).map((round) => round.p99));
  const best = (own, figure, better) =>
    peersOf(own, rows)
      .map(({ name }) => ({ name, figure: figure(name) }))
      .sort((a, b) => better(a.figure, b.figure))[0];
  const measured = workload.targets.filter(({ row, of }) => results.has(row) && results.has(of));
  const shares = measured.map((target) => {
    const { row, of } = target;
    const own = rows.find(({ name }) => name === row);
    const peer = best(
      own,
      (name) => share(name, of),
      (a, b) => b - a,
    );
    return shareVerdict(`${workload.title}, ${row}`, target, share(row, of), peer);
  });
  const latencies = rows
    .filter((row) => row.ours && peersOf(row, rows).length > 0)
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

/** Peers with the same features as the row: those with log and headers if ours has them, where there are any. */
function peersOf(own, rows) {
  const peers = rows.filter(
    ({ name, ours, base = own.base }) => !ours && !name.startsWith('bare ') && base === own.base,
  );
  if (own.rival !== undefined) return peers.filter(({ name }) => name === own.rival);
  const alike = peers.filter(({ complete = false }) => complete === (own.complete ?? false));
  return alike.length > 0 ? alike : peers;
}

/** @param {import('../workloads/workload.mjs').Target} target */
function shareVerdict(workload, { of, atLeast = 0, ahead = false }, reached, peer) {
  const target = [
    ...(atLeast > 0 ? [`≥ ${atLeast} of ${of}`] : []),
    ...(ahead ? ['ahead of every peer'] : []),
  ].join(', ');
  const isAhead = !ahead || peer === undefined || reached > peer.figure;
  return {
    workload,
    target,
    ours: reached.toFixed(2),
    'best peer': peer === undefined ? '' : `${peer.figure.toFixed(peer.figure < 0.1 ? 3 : 2)} (${peer.name})`,
    met: reached >= atLeast && isAhead ? 'yes' : 'no',
  };
}
