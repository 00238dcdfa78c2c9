// `npm run bench`: measures, and prints tables. `--short` is for sanity only.
import os from 'node:os';
import { guardedWorkloads } from './guarded.mjs';
import { printTable, runRounds } from './rounds.mjs';
import { stayOn } from './service.mjs';

const short = process.argv.includes('--short');
const options = short
  ? { rounds: 1, seconds: 0.5, connections: 8 }
  : { rounds: 7, seconds: 3, connections: 32 };
/** Prepared Digest requests: more than any machine answers in the time. */
const budget = Math.ceil((options.rounds + 1) * options.seconds * 40_000);

console.log(
  `Node ${process.version}, ${os.cpus()[0].model}, ${os.cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`,
);
console.log(
  `${options.rounds} rounds of ${options.seconds} s over ${options.connections} connections; medians\n`,
);

if (os.cpus().length > 1) stayOn(1);
const { workloads, stop } = await guardedWorkloads(budget);
try {
  const rows = printTable(workloads, await runRounds(workloads, options));
  if (rows.some(({ failed }) => failed > 0)) {
    console.error('\nSome answers were not 2xx: the figures count for nothing.');
    process.exitCode = 1;
  }
} finally {
  await stop();
}
