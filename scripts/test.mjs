// `npm test`: installs, builds, lints and runs every test; ends with `N passed, N failed`.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { lint } from './lint.mjs';
import { StepError, tool } from './run.mjs';
import { setUp } from './setup.mjs';
import { root } from './up-to-date.mjs';

const results = path.join(root, 'node_modules', '.cache', 'platform', 'jest.json');
let passed = 0;
let failed = 0;

try {
  await setUp();
  await lint();
  mkdirSync(path.dirname(results), { recursive: true });
  rmSync(results, { force: true });
  try {
    await tool('jest/bin/jest.js', '--json', `--outputFile=${results}`, ...process.argv.slice(2));
  } finally {
    const counts = JSON.parse(readFileSync(results, 'utf8'));
    passed = counts.numPassedTests;
    failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
    if (counts.numPendingTests > 0) {
      failed += counts.numPendingTests;
      console.error(`${counts.numPendingTests} tests were skipped: none may be.`);
    }
  }
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  failed = Math.max(failed, 1);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
