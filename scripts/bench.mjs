// `npm run bench`: builds, then measures.
import { fail, run } from './run.mjs';
import { setUp } from './setup.mjs';

await setUp()
  .then(() =>
    run(process.execPath, [
      process.argv[2] === 'attack' ? 'bench/attack.mjs' : 'bench/run.mjs',
      ...process.argv.slice(2),
    ]),
  )
  .catch(fail);
