// `npm run reliability [-- ROUNDS]`: builds, looks for acknowledged writes that get lost in files (reliability/run.mjs)
// and in databases (reliability/databases/run.mjs), and measures the memory of long streams (reliability/streams.mjs).
import { fail, run } from './run.mjs';
import { setUp } from './setup.mjs';

await setUp()
  .then(() => run(process.execPath, ['reliability/run.mjs', ...process.argv.slice(2)]))
  .then(() => run(process.execPath, ['reliability/databases/run.mjs', ...process.argv.slice(2)]))
  .then(() => run(process.execPath, ['reliability/streams.mjs']))
  .catch(fail);
