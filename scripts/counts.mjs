// Stores how many tests of each step passed, failed and were skipped, so that `.ci/run` can add them up.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './up-to-date.mjs';

const folder = path.join(root, 'node_modules', '.cache', 'platform');

/** Reads the output of `jest --json`; without output, the run itself failed. */
export function countsOfJest(file) {
  try {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    return {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests,
    };
  } catch {
    return { passed: 0, failed: 1 };
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
