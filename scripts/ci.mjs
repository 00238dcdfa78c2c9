// Runs every check, for `.ci/run`. The last line is `N passed, N failed` over all steps; a step without
// counts is one check.
import { addCounts, forgetCounts, readCounts, saveCounts, summary } from './counts.mjs';
import { run } from './run.mjs';

/** One after the other: the contract measures processor time, which a process on the same core would raise. */
const STEPS = [
  ['bench', ['run', 'bench', '--', 'short']],
  ['contract', ['run', 'contract']],
  ['node-versions', ['run', 'node-versions']],
  ['test', ['test']],
];

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
for (const [step, args] of STEPS) {
  const counts = await countsOf(step, args);
  saveCounts(step, counts);
  all = addCounts(all, counts);
}
for (const [step] of STEPS) console.log(`${step}: ${summary(readCounts(step))}`);
console.log(summary(all));
process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
