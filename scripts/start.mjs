// `npm start`: everything from a fresh clone to a service that answers.
import { copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, StepError } from './run.mjs';
import { setUp } from './setup.mjs';
import { root } from './up-to-date.mjs';

await setUp().catch(fail);

const local = path.join(root, 'config', 'autoload', 'local.json');
if (!existsSync(local)) {
  try {
    copyFileSync(`${local}.dist`, local);
  } catch (error) {
    fail(
      new StepError(
        `config/autoload/local.json cannot be made from local.json.dist (${error.code}). Make config/autoload writable.`,
      ),
    );
  }
  console.log(
    'Made config/autoload/local.json from local.json.dist: it is yours to edit, and git ignores it.',
  );
}
process.chdir(root);
// In this very process, so that a signal to `npm start` reaches the service.
process.argv.splice(1, 1, path.join(root, 'dist', 'index.js'));
await import(pathToFileURL(process.argv[1]).href);
