/**
 * How long and how hard to measure.
 *
 * @typedef {object} Options
 * @property {boolean} short functional check only: every server responds correctly, and the results mean nothing
 * @property {number} rounds
 * @property {number} seconds of each server in each round
 * @property {number} warmup seconds of each server before the first round
 * @property {number} connections
 */

/** @type {Options} */
export const FULL = { short: false, rounds: 5, seconds: 1.5, warmup: 2, connections: 32 };

/** @type {Options} */
export const SHORT = { short: true, rounds: 1, seconds: 0.15, warmup: 0, connections: 4 };
