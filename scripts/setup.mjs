// Prepares the repository for every command: checks Node, installs the pinned dependencies and builds. Skips steps that
// are up to date.
import { accessSync, chmodSync, constants, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundle } from './build/bundle.mjs';
import { packageOutput } from './build/package-output.mjs';
import { run, StepError, tool } from './run.mjs';
import { filesBelow, root, unlessUpToDate } from './up-to-date.mjs';
import { vendor } from './build/vendor.mjs';

function checkNode() {
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [major, minor] = engines.node.replace('>=', '').split('.').map(Number);
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  throw new StepError(
    `This is Node ${process.versions.node}; the platform needs Node ${major}.${minor} or later.`,
  );
}

function checkWritable() {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new StepError(
      `The folder ${root} is not writable. Make it writable: dependencies and the build are written to it.`,
    );
  }
}

async function install() {
  // The stamp is inside node_modules, so deleting that folder repeats the step.
  await unlessUpToDate('install', filesBelow('package-lock.json'), async () => {
    console.log('Installing the pinned dependencies …');
    await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  });
}

/** Deletes the output of the compiler, but not the bundles. */
function removeOutput() {
  const dist = path.join(root, 'dist');
  const names = existsSync(dist) ? readdirSync(dist) : [];
  for (const name of names.filter((one) => one !== 'vendor'))
    rmSync(path.join(dist, name), { recursive: true, force: true });
}

/** @param clean delete the previous output, including that of deleted sources, instead of building incrementally */
export async function build(clean) {
  await bundle();
  const inputs = filesBelow(
    'src',
    'tsconfig.json',
    'tsconfig.build.json',
    'package-lock.json',
    'scripts/bundled.json',
    'scripts/deferred-imports.mjs',
    'scripts/build/package-output.mjs',
  );
  const work = async () => {
    console.log('Building …');
    if (clean) removeOutput();
    await tool('typescript/bin/tsc', '-p', 'tsconfig.build.json');
    await packageOutput();
    // npm does so when it installs the package, but projects that link this folder run the file of the next build.
    chmodSync(path.join(root, 'dist/cli.js'), 0o755);
  };
  await unlessUpToDate('build', inputs, work, 'dist/index.js');
}

/** Checks Node, installs the pinned dependencies and updates vendored files. */
export async function prepare() {
  checkNode();
  checkWritable();
  await install();
  await vendor();
}

export async function setUp() {
  await prepare();
  await build(true);
}
