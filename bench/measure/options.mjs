import { parseArgs } from 'node:util';

/**
 * How long and how hard to measure.
 *
 * @typedef {object} Options
 * @property {boolean} short functional check only: every server responds correctly, and the results mean nothing
 * @property {number} rounds
 * @property {number} seconds of each server in each round
 * @property {number} warmup seconds of each server before the first round
 * @property {number} connections
 * @property {string} [node] the major version of Node that runs the servers, of those in node-versions/; defaults to
 *   the one that runs the benchmark
 */

/**
 * V8 compiles the functions of a server for some seconds, on the core of the server: after 8 s it has, for every server.
 * The speed of a virtual machine changes every few seconds, by up to a half: rounds are so short that all servers of a
 * workload run within one or two of these phases, and so many that the median has seen several.
 *
 * @type {Options}
 */
const FULL = { short: false, rounds: 24, seconds: 0.25, warmup: 8, connections: 32 };

/** @type {Options} */
const SHORT = { short: true, rounds: 1, seconds: 0.15, warmup: 0, connections: 4 };

const NUMBERS = ['rounds', 'seconds', 'warmup'];

/**
 * Reads the command line: names of measurements, `short`, and options.
 * @param {readonly string[]} args
 * @returns {{ names: string[], options: Options }}
 * @throws Error for an unknown option or an invalid number
 */
export function readCommandLine(args) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: Object.fromEntries([...NUMBERS, 'node'].map((name) => [name, { type: 'string' }])),
  });
  const options = { ...(positionals.includes('short') ? SHORT : FULL) };
  for (const name of NUMBERS.filter((one) => values[one] !== undefined)) {
    options[name] = Number(values[name]);
    if (!(options[name] > 0)) throw new Error(`--${name} is "${values[name]}". Write a positive number.`);
  }
  if (values.node !== undefined) options.node = values.node;
  return { names: positionals.filter((word) => word !== 'short'), options };
}

/**
 * Whether a word of the command line chooses a measurement: its name, or the beginning of the names of a group, as `db`
 * of `db-key`.
 */
export function chooses(word, name) {
  return name === word || name.startsWith(`${word}-`);
}
