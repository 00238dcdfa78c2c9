// `npm start`: installs, builds, creates config/autoload/local.json and starts the server with the sample API.
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
        `config/autoload/local.json cannot be created from local.json.dist (${error.code}). Make config/autoload writable.`,
      ),
    );
  }
  console.log(
    'Created config/autoload/local.json from local.json.dist. Edit it as you like; git ignores it.',
  );
}
process.chdir(root);
// In this process, so that signals sent to `npm start` reach the server.
process.argv.splice(1, 1, path.join(root, 'dist', 'index.js'));
await import(pathToFileURL(process.argv[1]).href);
