// `npm run contract [apis] [tables] [github]`: builds, and verifies the documentation with third-party tools.
import { fail, run } from './run.mjs';
import { setUp } from './setup.mjs';
import { filesBelow, unlessUpToDate } from './up-to-date.mjs';

async function install() {
  const inputs = filesBelow('contract/package-lock.json', 'contract/.npmrc');
  const work = async () => {
    console.log('Installing the tools of contract/ …');
    await run('npm', [
      'ci',
      '--prefix',
      'contract',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]);
  };
  await unlessUpToDate('install-contract', inputs, work, 'contract/node_modules');
}

await setUp()
  .then(install)
  .then(() => run(process.execPath, ['contract/run.mjs', ...process.argv.slice(2)]))
  .catch(fail);
