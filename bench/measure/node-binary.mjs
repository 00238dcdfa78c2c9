// The executable of Node that runs the servers.
import { execFileSync } from 'node:child_process';
import { nodeBinaries } from '../../scripts/node-binaries.mjs';

/** @param {string} [major] of a version in node-versions/; defaults to the version of this process */
export function nodeBinary(major) {
  return major === undefined ? process.execPath : nodeBinaries([major])[0][1];
}

/** @param {string} [major] @returns {string} the complete version, such as `v24.21.0` */
export function nodeVersion(major) {
  if (major === undefined) return process.version;
  return execFileSync(nodeBinary(major), ['--version'], { encoding: 'utf8' }).trim();
}
