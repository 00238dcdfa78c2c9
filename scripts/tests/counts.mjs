// Stores how many tests of each step passed, failed and were skipped, so that `.ci/run` can add them up.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../up-to-date.mjs';

const folder = path.join(root, 'node_modules', '.cache', 'platform');

const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/**
 * Counts the tests in the output of `jest --json`; a suite that could not be run is one failure, and so is a run
 * without output.
 * @param retried the output of a second run of some of the suites, which replaces the results of their first run
 */
export function countsOfJest(file, retried) {
  try {
    const suites = new Map(suitesIn(file));
    for (const [name, suite] of retried === undefined ? [] : suitesIn(retried)) suites.set(name, suite);
    return [...suites.values()].map(countsOfSuite).reduce(addCounts, NOTHING);
  } catch {
    return { ...NOTHING, failed: 1 };
  }
}

const suitesIn = (file) =>
  JSON.parse(readFileSync(file, 'utf8')).testResults.map((suite) => [suite.name, suite]);

function countsOfSuite({ status, assertionResults }) {
  const count = (...statuses) => assertionResults.filter((one) => statuses.includes(one.status)).length;
  const [failed, passed] = [count('failed'), count('passed')];
  const couldNotRun = status === 'failed' && failed === 0;
  return { passed, failed: couldNotRun ? 1 : failed, skipped: count('pending', 'todo') };
}

/** The files of the suites that failed, by the output of `jest --json`. */
export function failedSuites(file) {
  try {
    return suitesIn(file)
      .filter(([, { status }]) => status === 'failed')
      .map(([name]) => name);
  } catch {
    return [];
  }
}

export function addCounts(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: (one.skipped ?? 0) + (other.skipped ?? 0),
  };
}

/** Formats the last line: `N passed, N failed`, and the number of skipped tests, if any. */
export function summary({ passed, failed, skipped = 0 }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const fileOf = (step) => path.join(folder, `${step}.counts.json`);

export function saveCounts(step, counts) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(step), JSON.stringify(counts));
}

export function forgetCounts(step) {
  rmSync(fileOf(step), { force: true });
}

/** @returns undefined for a step without counts */
export function readCounts(step) {
  try {
    return JSON.parse(readFileSync(fileOf(step), 'utf8'));
  } catch {
    return undefined;
  }
}
