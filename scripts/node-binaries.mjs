// The supported versions of Node, as packages in node-versions/.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { run, StepError } from './run.mjs';
import { filesBelow, root, unlessUpToDate } from './up-to-date.mjs';

export const nodeVersions = path.join(root, 'node-versions/node_modules');

/** Whether the packages have binaries for this machine. */
export function hasNodeBinaries() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** @throws StepError on machines that the packages have no binaries for */
export async function installNodeVersions() {
  if (!hasNodeBinaries())
    throw new StepError(
      `The binaries in node-versions/ are for Linux on x64; this is ${process.platform} on ${process.arch}.`,
    );
  const inputs = filesBelow('node-versions/package-lock.json', 'node-versions/.npmrc');
  const work = async () => {
    console.log('Installing the versions of Node …');
    await run('npm', ['ci', '--prefix', 'node-versions', '--loglevel=error']);
  };
  // CI installs the dependencies later, with one of these versions.
  const stamp = { version: 'any', folder: path.join(nodeVersions, '.cache') };
  await unlessUpToDate('install-node-versions', inputs, work, 'node-versions/node_modules', stamp);
}

/**
 * Returns the binaries of the chosen major versions; defaults to all.
 * @param {readonly string[]} [chosen]
 * @returns {(readonly [major: string, binary: string])[]}
 * @throws StepError for an unknown version
 */
export function nodeBinaries(chosen = []) {
  const majors = readdirSync(nodeVersions)
    .map((name) => /^node-(\d+)$/.exec(name)?.[1])
    .filter((major) => major !== undefined);
  const unknown = chosen.find((major) => !majors.includes(major));
  if (unknown !== undefined)
    throw new StepError(
      `"${unknown}" is not in node-versions/package.json. Available: ${majors.join(', ')}.`,
    );
  return majors
    .filter((major) => chosen.length === 0 || chosen.includes(major))
    .map((major) => [major, path.join(nodeVersions, `node-${major}/bin/node`)]);
}
