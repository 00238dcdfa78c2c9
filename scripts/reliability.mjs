// `npm run reliability [-- ROUNDS]`: builds, and looks for acknowledged writes that get lost. See reliability/run.mjs.
import { fail, run } from './run.mjs';
import { setUp } from './setup.mjs';

await setUp()
  .then(() => run(process.execPath, ['reliability/run.mjs', ...process.argv.slice(2)]))
  .catch(fail);
