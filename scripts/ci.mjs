// Runs every check, for `.ci/run`. The last line is `N passed, N failed` over all steps; a step without
// counts is one check.
import path from 'node:path';
import { addCounts, forgetCounts, readCounts, saveCounts, summary } from './tests/counts.mjs';
import { hasNodeBinaries, installNodeVersions, nodeBinaries } from './node-binaries.mjs';
import { run } from './run.mjs';

/** The version of Node that runs every step. The others run the specs of `npm run node-versions`. */
const MAJOR = '24';

const TEST = ['test', ['test']];

/** Two sequences at the same time, as each waits for other processes much of the time; then `npm test` without the lint. */
const SEQUENCES = [
  [
    ['bench', ['run', 'bench', '--', 'short']],
    ['contract', ['run', 'contract']],
  ],
  [
    ['node-versions', ['run', 'node-versions']],
    ['lint', ['run', 'lint']],
  ],
];
const STEPS = [...SEQUENCES.flat(), TEST];

/** Runs a step. A non-zero exit code is a failure, whatever it counted. */
async function countsOf(step, args) {
  forgetCounts(step);
  const begin = Date.now();
  const isDone = await run('npm', args).then(
    () => true,
    (error) => {
      console.error(error.message);
      return false;
    },
  );
  const { failed = 0, ...counts } = readCounts(step) ?? { passed: isDone ? 1 : 0 };
  console.log(`npm ${args.join(' ')}: ${Math.round((Date.now() - begin) / 1000)} s`);
  return { ...counts, failed: isDone ? failed : Math.max(failed, 1) };
}

let all = { passed: 0, failed: 0 };

async function runSteps(steps) {
  for (const [step, args] of steps) {
    const counts = await countsOf(step, args);
    saveCounts(step, counts);
    all = addCounts(all, counts);
  }
}

if (hasNodeBinaries()) {
  await installNodeVersions();
  for (const [, binary] of nodeBinaries([MAJOR]))
    process.env.PATH = [path.dirname(binary), process.env.PATH].join(path.delimiter);
}
// Steps at the same time would write the same files.
await run('node', ['scripts/build.mjs']);
await Promise.all(SEQUENCES.map(runSteps));
process.env.SKIP_LINT = 'true';
await runSteps([TEST]);
for (const [step] of STEPS) console.log(`${step}: ${summary(readCounts(step))}`);
console.log(summary(all));
process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
