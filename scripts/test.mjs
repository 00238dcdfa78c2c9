// `npm test`: installs, builds, lints and runs every test. The last line is `N passed, N failed[, N skipped]`.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { countsOfJest, saveCounts, summary } from './counts.mjs';
import { lint } from './lint.mjs';
import { StepError, tool } from './run.mjs';
import { setUp } from './setup.mjs';
import { skippedSuites } from './skipped-suites.mjs';
import { root } from './up-to-date.mjs';

const results = path.join(root, 'node_modules', '.cache', 'platform', 'jest.json');
const skips = path.join(root, 'node_modules', '.cache', 'platform', 'skipped.jsonl');
let counts = { passed: 0, failed: 0 };

try {
  await setUp();
  await lint();
  mkdirSync(path.dirname(results), { recursive: true });
  for (const file of [results, skips]) rmSync(file, { force: true });
  // Specs record missing programs in this file: see spec/factories/programs.ts.
  process.env.SPEC_SKIPPED = skips;
  try {
    await tool('jest/bin/jest.js', '--json', `--outputFile=${results}`, ...process.argv.slice(2));
  } finally {
    const { lines, unexplained } = skippedSuites(results, skips);
    for (const line of lines) console.log(line);
    counts = countsOfJest(results);
    counts = { ...counts, failed: counts.failed + unexplained, skipped: (counts.skipped ?? 0) - unexplained };
  }
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  counts = { ...counts, failed: Math.max(counts.failed, 1) };
}
saveCounts('test', counts);
console.log(summary(counts));
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
