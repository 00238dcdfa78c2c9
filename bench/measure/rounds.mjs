// Interleaved rounds: every server once per round, so that changes of the machine's speed affect all alike.
import { load } from './load.mjs';
import { watchOthers } from './processor.mjs';

/**
 * @typedef {object} Row a server with its requests
 * @property {string} name
 * @property {import('./service.mjs').Service} service
 * @property {() => string} next the bytes of the next request
 * @property {(count: number) => void} [prepare] creates so many requests in advance
 * @property {number} [expect] the status of every response; defaults to any 2xx
 * @property {number} [connections] instead of those of the options
 *
 * @typedef {object} Round the result of one server in one round
 * @property {number} rate requests per second
 * @property {number} p99 milliseconds
 * @property {number} cpu CPU time of the server per request, in µs
 * @property {number} core share of its core that the server used
 * @property {number} requests
 * @property {number} failed responses with an unexpected status
 * @property {boolean} foreign whether other processes used the CPUs too
 */

/** How many more requests are prepared than the last round needed: the machine may have become faster. */
const RESERVE = 2;

/**
 * @param {Row[]} rows
 * @param {{ rounds: number, seconds: number, warmup: number, connections: number }} options
 * @returns {Promise<Map<string, Round[]>>} by the row's name
 */
export async function runRounds(rows, { rounds, seconds, warmup, connections }) {
  const results = new Map(rows.map(({ name }) => [name, []]));
  /** Requests of a server in a round, by name: how many to prepare for the next. */
  const taken = new Map();
  // The warm-up, in rounds too: after a pause of 8 s, V8 discards compiled code, and most of the young generation.
  for (let round = -Math.ceil(warmup / seconds); round < rounds; round++) {
    for (const { name, service, next, prepare, expect, connections: own = connections } of rows) {
      prepare?.(Math.ceil((taken.get(name) ?? 1000) * seconds * RESERVE));
      const others = watchOthers(service);
      const before = service.cpuSeconds();
      const result = await load({ port: service.port, connections: own, seconds, next, expect });
      const used = service.cpuSeconds() - before;
      taken.set(name, result.requests / result.seconds);
      if (round < 0) continue;
      results.get(name).push({
        rate: result.requests / result.seconds,
        p99: result.p99,
        cpu: (used / result.requests) * 1e6,
        core: used / result.seconds,
        requests: result.requests,
        failed: result.failed,
        foreign: others().foreign,
      });
    }
  }
  return results;
}

/** The rounds that count: the quiet ones, if there are enough of them. */
export function quiet(rounds, isForeign = ({ foreign }) => foreign) {
  const left = rounds.filter((round) => !isForeign(round));
  return left.length >= Math.min(3, rounds.length) ? left : rounds;
}

/**
 * The median of the ratio of two rows, round by round.
 * @param {Round[]} own @param {Round[]} other @param {(own: Round, other: Round) => number} ratio
 */
export function paired(own, other, ratio) {
  const pairs = own.map((round, at) => ({ round, reference: other[at] }));
  const selected = quiet(pairs, ({ round, reference }) => round.foreign || reference.foreign);
  return median(selected.map(({ round, reference }) => ratio(round, reference)));
}

/** @param {readonly number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
