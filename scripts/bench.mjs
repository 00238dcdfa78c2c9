// `npm run bench`: builds, copies the build, installs the frameworks to compare with, and runs the benchmark.
import { cpSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { chooses, readCommandLine } from '../bench/measure/options.mjs';
import { hasNodeBinaries, installNodeVersions } from './node-binaries.mjs';
import { fail, run, tool } from './run.mjs';
import { setUp } from './setup.mjs';
import { filesBelow, root, unlessUpToDate } from './up-to-date.mjs';

/** Below node_modules, so that it resolves the dependencies of the product, not those of the peers. */
const built = path.join(root, 'node_modules/.cache/platform/bench');

const isMeasured = ({ names, options }, name) =>
  !options.short && (names.length === 0 || names.some((word) => chooses(word, name)));

/** Whether a complete measurement of databases runs: only that needs Platformatic DB, whose packages are large. */
function comparesDatabases(measured) {
  return ['db-key', 'db-page', 'db-insert'].some((name) => isMeasured(measured, name));
}

/** Whether servers run on other versions of Node, whose packages are large, too. */
function needsNodeVersions(measured) {
  return measured.options.node !== undefined || (hasNodeBinaries() && isMeasured(measured, 'node-versions'));
}

async function install(folder) {
  const inputs = filesBelow(`${folder}/package-lock.json`, `${folder}/.npmrc`);
  const work = async () => {
    console.log(`Installing the dependencies of ${folder}/ …`);
    // Some dependencies of peers require a newer Node than the platform, but run on its minimum.
    await run('npm', [
      'ci',
      '--prefix',
      folder,
      '--engine-strict=false',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]);
  };
  await unlessUpToDate(`install-${folder.replaceAll('/', '-')}`, inputs, work, `${folder}/node_modules`);
}

/** Copies the build, which may be replaced while servers run. It is that of the product: with its bundles. */
async function copyBuild() {
  const next = `${built}-next`;
  const work = () => {
    rmSync(next, { recursive: true, force: true });
    cpSync(path.join(root, 'dist'), path.join(next, 'dist'), { recursive: true });
    cpSync(path.join(root, 'package.json'), path.join(next, 'package.json'));
    for (const folder of ['docs', 'templates']) symlinkSync(path.join(root, folder), path.join(next, folder));
    rmSync(built, { recursive: true, force: true });
    renameSync(next, built);
  };
  await unlessUpToDate(
    'copy-build',
    filesBelow('dist'),
    work,
    path.relative(root, path.join(built, 'dist/index.js')),
  );
}

async function buildPeers() {
  const inputs = filesBelow('bench/peers/nest', 'bench/package-lock.json');
  const work = () => tool('typescript/bin/tsc', '-p', 'bench/peers/nest/tsconfig.json');
  await unlessUpToDate('build-nest', inputs, work, 'bench/node_modules/.cache/nest/app.mjs');
}

async function main(args) {
  if (args.includes('--help')) {
    // The workloads load packages that other commands of the repository do not need.
    const { usage } = await import('../bench/usage.mjs');
    process.stdout.write(usage());
    return;
  }
  const measured = readCommandLine(args);
  await setUp();
  await install('bench');
  if (comparesDatabases(measured)) await install('bench/peers/platformatic');
  if (needsNodeVersions(measured)) await installNodeVersions();
  await copyBuild();
  await buildPeers();
  await run(process.execPath, ['bench/run.mjs', ...args]);
}

await main(process.argv.slice(2)).catch(fail);
