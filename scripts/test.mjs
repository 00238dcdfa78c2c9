// `npm test`: installs, builds, lints and runs every test. The last line is `N passed, N failed[, N skipped]`.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { saveCounts, summary } from './tests/counts.mjs';
import { runJest } from './tests/jest.mjs';
import { lint } from './lint.mjs';
import { StepError } from './run.mjs';
import { setUp } from './setup.mjs';
import { skippedSuites } from './tests/skipped-suites.mjs';
import { root } from './up-to-date.mjs';

const skips = path.join(root, 'node_modules', '.cache', 'platform', 'skipped.jsonl');
let counts = { passed: 0, failed: 0 };

try {
  await setUp();
  // In CI, it is a step of its own.
  if (process.env.SKIP_LINT !== 'true') await lint();
  mkdirSync(path.dirname(skips), { recursive: true });
  rmSync(skips, { force: true });
  // Specs record missing programs in this file: see spec/factories/processes/programs.ts.
  process.env.SPEC_SKIPPED = skips;
  const ran = await runJest({ name: 'jest', suites: process.argv.slice(2) });
  counts = ran.counts;
  const { lines, unexplained } = skippedSuites(ran.results, skips);
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
