// The environment of the measurement: machine, versions, date.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nodeVersion } from '../measure/node-binary.mjs';

const bench = path.resolve(import.meta.dirname, '..');

/** Versions of the peers, from the lock file. */
function peerVersions() {
  const { packages } = JSON.parse(readFileSync(path.join(bench, 'package-lock.json'), 'utf8'));
  const { dependencies } = JSON.parse(readFileSync(path.join(bench, 'package.json'), 'utf8'));
  return Object.keys(dependencies).map((name) => `${name} ${packages[`node_modules/${name}`].version}`);
}

/** The measured commit, and whether the working tree has changes. */
function revision() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: bench, encoding: 'utf8' }).trim();
    const changed = git('status', '--porcelain', '--', '../src', '../package-lock.json') !== '';
    return `commit ${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'no repository';
  }
}

/** @param {import('../measure/options.mjs').Options} options @returns {string} a paragraph, and the peers */
export function circumstances({ rounds, seconds, connections, warmup, node }) {
  const [cpu] = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return [
    `${new Date().toISOString().slice(0, 10)}, ${revision()}. Node ${nodeVersion(node)}, ${cpu?.model ?? 'unknown processor'}, ${os.cpus().length} cores, ${memory} GB, ${os.type()} ${os.release()}.`,
    `${rounds} interleaved rounds of ${seconds} s over ${connections} connections, after ${warmup} s of warm-up; the server on one core, the load on another. Medians; ratios are computed per round. Rounds in which other processes used more than 5% of a core are excluded if three others remain. "Unexpected" counts responses with another status than expected.`,
    `Peers: ${peerVersions().join(', ')}.`,
  ].join('\n\n');
}
