// Interleaved rounds: every server once a round, so that a machine whose speed drifts treats all alike.
import { load } from './load.mjs';
import { watchOthers } from './processor.mjs';

/**
 * @typedef {object} Row a server with what it is asked
 * @property {string} name
 * @property {import('./service.mjs').Service} service
 * @property {() => string} next the bytes of the next request
 * @property {(count: number) => void} [prepare] makes so many requests beforehand
 * @property {number} [expect] the status of every answer; any 2xx unless told
 *
 * @typedef {object} Round what one server did in one round
 * @property {number} rate requests a second
 * @property {number} p99 milliseconds
 * @property {number} cpu processor time of the server for each request, in µs
 * @property {number} core share of its core that the server used
 * @property {number} requests
 * @property {number} failed answers of another status than expected
 * @property {boolean} foreign whether others had the processors too
 */

/**
 * @param {Row[]} rows
 * @param {{ rounds: number, seconds: number, warmup: number, connections: number }} options
 * @returns {Promise<Map<string, Round[]>>} by the row's name
 */
export async function runRounds(rows, { rounds, seconds, warmup, connections }) {
  const results = new Map(rows.map(({ name }) => [name, []]));
  /** Requests that a server took in a round, by name: how many to prepare for the next. */
  const taken = new Map();
  for (let round = warmup > 0 ? -1 : 0; round < rounds; round++) {
    const time = round < 0 ? warmup : seconds;
    for (const { name, service, next, prepare, expect } of rows) {
      prepare?.(Math.ceil((taken.get(name) ?? 1000) * time * 1.2));
      const others = watchOthers(service);
      const before = service.cpuSeconds();
      const result = await load({ port: service.port, connections, seconds: time, next, expect });
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

/** Those rounds that count: the quiet ones, where there are enough of them to tell anything. */
export function quiet(rounds, isForeign = ({ foreign }) => foreign) {
  const left = rounds.filter((round) => !isForeign(round));
  return left.length >= Math.min(3, rounds.length) ? left : rounds;
}

/**
 * The median of what one row is of another, round by round.
 * @param {Round[]} own @param {Round[]} other @param {(own: Round, other: Round) => number} ratio
 */
export function paired(own, other, ratio) {
  const pairs = own.map((round, at) => ({ round, beside: other[at] }));
  const kept = quiet(pairs, ({ round, beside }) => round.foreign || beside.foreign);
  return median(kept.map(({ round, beside }) => ratio(round, beside)));
}

/** @param {readonly number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
