// `npm test`: installs, builds, lints and runs every test. The last line is `N passed, N failed[, N skipped]`. With
// CI=true a few failing suites run a second time, one after another: a failure that occurs only on a busy machine is
// reported by name and does not fail the run.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { countsOfJest, failedSuites, saveCounts, summary } from './counts.mjs';
import { lint } from './lint.mjs';
import { StepError, tool } from './run.mjs';
import { setUp } from './setup.mjs';
import { skippedSuites } from './skipped-suites.mjs';
import { root } from './up-to-date.mjs';

const results = path.join(root, 'node_modules', '.cache', 'platform', 'jest.json');
const retried = path.join(root, 'node_modules', '.cache', 'platform', 'jest-retry.json');
const skips = path.join(root, 'node_modules', '.cache', 'platform', 'skipped.jsonl');
let counts = { passed: 0, failed: 0 };

/** If more suites than this fail, a second run is unlikely to help. */
const RETRIED_SUITES = 4;

/** @returns whether every test passed; the results are in the file */
const jest = (output, ...args) =>
  tool('jest/bin/jest.js', '--json', `--outputFile=${output}`, ...args).then(
    () => true,
    (error) => {
      if (!(error instanceof StepError)) throw error;
      console.error(error.message);
      return false;
    },
  );

/** Runs the failed suites again, if they are few, and returns the counts of both runs. */
async function retry() {
  const suites = failedSuites(results);
  if (process.env.CI !== 'true' || suites.length === 0 || suites.length > RETRIED_SUITES)
    return countsOfJest(results);
  const shown = (file) => path.relative(root, file);
  console.log(`\nFailed, repeating: ${suites.map(shown).join(', ')}`);
  await jest(retried, '--runInBand', '--runTestsByPath', ...suites);
  const still = new Set(failedSuites(retried));
  for (const file of suites.filter((one) => !still.has(one)))
    console.log(`Failed at first, passed alone: ${shown(file)}`);
  return countsOfJest(results, retried);
}

try {
  await setUp();
  await lint();
  mkdirSync(path.dirname(results), { recursive: true });
  for (const file of [results, retried, skips]) rmSync(file, { force: true });
  // Specs record missing programs in this file: see spec/factories/programs.ts.
  process.env.SPEC_SKIPPED = skips;
  counts = (await jest(results, ...process.argv.slice(2))) ? countsOfJest(results) : await retry();
  const { lines, unexplained } = skippedSuites(results, skips);
  for (const line of lines) console.log(line);
  counts = { ...counts, failed: counts.failed + unexplained, skipped: counts.skipped - unexplained };
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  counts = { ...counts, failed: Math.max(counts.failed, 1) };
}
saveCounts('test', counts);
console.log(summary(counts));
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
