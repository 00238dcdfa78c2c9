// `npm run node-versions [20 22 …]`: runs the framework and hosting specs and starts the server on every supported
// version of Node; without a choice, it also runs the guide to mounting with Bun and Deno. The binaries are packages in
// node-versions/.
import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addCounts, saveCounts, summary } from './tests/counts.mjs';
import { runJest } from './tests/jest.mjs';
import { installNodeVersions, nodeBinaries, nodeVersions } from './node-binaries.mjs';
import { fail, run } from './run.mjs';
import { setUp } from './setup.mjs';
import { root } from './up-to-date.mjs';

const SPECS = ['spec/framework', 'spec/modules/hosting'];
/** Sockets, streams and the loader of modules: what differs most between versions. */
const SHORT_SPECS = ['spec/framework/http', 'spec/framework/config/layers/script-file'];
/** The oldest and the newest version in CI: modules too. */
const OUTER_SPECS = [...SHORT_SPECS, 'spec/framework/application', 'spec/modules/hosting/(rest|streaming)'];
/** What only the oldest version does: it has no `node:sqlite` and no compile cache of its own. */
const OLDEST_SPECS = ['spec/loading', 'spec/modules/database/adapters/sqlite'];
/** With `node:sqlite`, which Node 20 does not have. */
const DATABASE_SPECS = ['spec/modules/database/service/table-service', 'spec/modules/database/batch'];
const START_TIMEOUT_MS = 60_000;

/** Fewer in CI, because it has 25 minutes for everything. */
function specsFor(major) {
  if (process.env.CI !== 'true') return SPECS;
  const majors = nodeBinaries().map(([one]) => Number(one));
  if (Number(major) === Math.min(...majors)) return [...OUTER_SPECS, ...OLDEST_SPECS];
  return Number(major) === Math.max(...majors) ? OUTER_SPECS : SHORT_SPECS;
}

async function runSpecs(major, binary) {
  // `npm test` runs the loops that kill writers at full length.
  const env = { ...process.env, KILLS: process.env.KILLS ?? '8' };
  const { counts } = await runJest({
    name: `jest-node-${major}`,
    binary,
    args: ['--silent', '--reporters=summary'],
    suites: [...specsFor(major), ...DATABASE_SPECS],
    options: { env, stdio: ['ignore', 'ignore', 'inherit'] },
  });
  return counts;
}

/** Starts the server; with CI=true again if it fails, because the machine may be busy. */
async function checkStart(major, binary) {
  for (let attempts = process.env.CI === 'true' ? 2 : 1; attempts > 0; attempts--) {
    try {
      await startServer(major, binary);
      return { passed: 1, failed: 0 };
    } catch (error) {
      console.error(`Node ${major} does not serve dist/index.js: ${error.message}`);
    }
  }
  return { passed: 0, failed: 1 };
}

/** Starts the server with a copy of the configuration, requests the documentation, and stops it. */
async function startServer(major, binary) {
  const project = mkdtempSync(path.join(tmpdir(), 'node-version-'));
  cpSync(path.join(root, 'config'), path.join(project, 'config'), { recursive: true });
  const local = path.join(project, 'config/autoload/local.json');
  copyFileSync(path.join(root, 'config/autoload/local.json.dist'), local);
  const child = spawn(binary, [path.join(root, 'dist/index.js'), '--root', project], {
    env: { PATH: process.env.PATH, TMPDIR: project, PORT: '0', OPERATIONS_LISTEN: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  try {
    const { address, ended } = await listening(child);
    const response = await fetch(address);
    const text = await response.text();
    if (response.status !== 200 || !text.includes('Atlas'))
      throw new Error(`GET ${address} answers ${response.status}: ${text.slice(0, 200)}`);
    child.kill('SIGTERM');
    const code = await ended;
    if (code !== 0) throw new Error(`SIGTERM ended it with exit code ${code}`);
    if (!readdirSync(project).some((name) => name.startsWith('apidesc-platform-')))
      throw new Error('it kept no compiled code');
  } finally {
    clearTimeout(deadline);
    child.kill('SIGKILL');
    rmSync(project, { recursive: true, force: true });
  }
}

/** Resolves with the URL of the documentation. @throws Error with the output if the process exits first */
function listening(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const ended = new Promise((done) => child.once('close', done));
    const read = (chunk) => {
      output += chunk;
      const address = /^Documentation +(\S+)$/m.exec(output)?.[1];
      if (address !== undefined) resolve({ address, ended });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    void ended.then((code) => reject(new Error(`it ended with exit code ${code}:\n${output}`)));
  });
}

async function check([major, binary]) {
  await run(binary, ['--version']);
  const started = await checkStart(major, binary);
  // `npm test` runs the same specs on the version that runs this script.
  const isTested = process.env.CI === 'true' && major === process.versions.node.split('.')[0];
  const counts = isTested ? started : addCounts(started, await runSpecs(major, binary));
  console.log(`Node ${major}: ${summary(counts)}`);
  return counts;
}

/** Runs the guide to mounting with Bun and Deno too. */
async function checkRuntimes() {
  const env = {
    ...process.env,
    BUN: path.join(nodeVersions, '@oven/bun-linux-x64/bin/bun'),
    DENO: path.join(nodeVersions, '@deno/linux-x64-glibc/deno'),
  };
  const { counts } = await runJest({
    name: 'jest-runtimes',
    binary: process.execPath,
    args: ['--silent', '--reporters=summary'],
    suites: ['spec/mount/guide'],
    options: { env, stdio: ['ignore', 'ignore', 'inherit'] },
  });
  console.log(`Bun and Deno: ${summary(counts)}`);
  return counts;
}

async function main() {
  await setUp();
  await installNodeVersions();
  const chosen = process.argv.slice(2);
  let all = chosen.length === 0 ? await checkRuntimes() : { passed: 0, failed: 0 };
  for (const version of nodeBinaries(chosen)) all = addCounts(all, await check(version));
  saveCounts('node-versions', all);
  console.log(summary(all));
  if (all.failed > 0 || all.passed === 0) process.exitCode = 1;
}

await main().catch(fail);
