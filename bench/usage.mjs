import { OTHERS } from './others.mjs';
import { measurements } from './workloads/index.mjs';

/** Returns the usage of `npm run bench`: its options and all measurements. */
export function usage() {
  const others = Object.entries(OTHERS).map(([name, { title }]) => ({ name, title }));
  const lines = [...measurements, ...others].map(({ name, title }) => `  ${name.padEnd(18)}  ${title}`);
  return `Usage: npm run bench -- [short] [options] [measurement ...]

Runs all workloads and writes bench/RESULTS.md, or only the given ones, or those of a group, such as db.
With short, only verifies the responses: the figures are meaningless.

Options:
  --rounds NUMBER     rounds of each workload
  --seconds NUMBER    seconds of each server in each round
  --warmup NUMBER     seconds of each server before the first round
  --node VERSION      the major version of Node.js that runs the servers, of those in node-versions/
  --help              print this text

Measurements:
${lines.join('\n')}
`;
}
