// Runs jest. With CI=true a few failing suites run a second time, one after another: a failure that occurs only on a
// busy machine is reported by name and does not fail the run.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { countsOfJest, failedSuites } from './counts.mjs';
import { run, StepError } from '../run.mjs';
import { root } from '../up-to-date.mjs';

/** If more suites than this fail, a second run is unlikely to help. */
const RETRIED_SUITES = 8;

const shown = (file) => path.relative(root, file);

/**
 * Runs jest, and with CI=true its failed suites again, if they are few.
 * @param options `name` of the output file, `binary` of Node, `args` of both runs, the `suites` of the first run (paths
 * or other arguments; defaults to all), and `options` of the processes
 * @returns the counts, where the results of the second run replace those of the first, and the output file
 */
export async function runJest({ name, binary = process.execPath, args = [], suites = [], options = {} }) {
  const results = path.join(root, 'node_modules', '.cache', 'platform', `${name}.json`);
  const retried = results.replace(/\.json$/, '-retry.json');
  mkdirSync(path.dirname(results), { recursive: true });
  for (const file of [results, retried]) rmSync(file, { force: true });
  const jest = async (output, ...more) => {
    const all = ['node_modules/jest/bin/jest.js', ...args, '--json', `--outputFile=${output}`, ...more];
    await run(binary, all, options).catch((error) => {
      if (!(error instanceof StepError)) throw error;
      console.error(error.message);
    });
  };
  await jest(results, ...suites);
  const failed = failedSuites(results);
  if (process.env.CI !== 'true' || failed.length === 0 || failed.length > RETRIED_SUITES)
    return { counts: countsOfJest(results), results };
  console.log(`\nFailed, repeating: ${failed.map(shown).join(', ')}`);
  await jest(retried, '--runInBand', '--runTestsByPath', ...failed);
  const still = new Set(failedSuites(retried));
  for (const file of failed.filter((one) => !still.has(one)))
    console.log(`Failed at first, passed alone: ${shown(file)}`);
  return { counts: countsOfJest(results, retried), results };
}
