// What every command needs before it: the right Node, the pinned dependencies, a build. Each only when it is due.
import { accessSync, constants, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { run, StepError, tool } from './run.mjs';
import { filesBelow, root, unlessUpToDate } from './up-to-date.mjs';

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
      `The folder ${root} is not writable: dependencies and the build go there. Make it writable.`,
    );
  }
}

async function install() {
  // The stamp is inside node_modules: without the folder the step is due.
  await unlessUpToDate('install', filesBelow('package-lock.json'), async () => {
    console.log('Installing the pinned dependencies …');
    await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  });
}

/** @param clean removes what sources that are gone have left behind; otherwise only what changed is compiled */
export async function build(clean) {
  const inputs = filesBelow('src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json');
  const work = async () => {
    console.log('Building …');
    if (clean) rmSync(path.join(root, 'dist'), { recursive: true, force: true });
    await tool('typescript/bin/tsc', '-p', 'tsconfig.build.json');
  };
  await unlessUpToDate('build', inputs, work, 'dist/index.js');
}

/** The right Node and the pinned dependencies. */
export async function prepare() {
  checkNode();
  checkWritable();
  await install();
}

export async function setUp() {
  await prepare();
  await build(true);
}
