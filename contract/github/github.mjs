// GitHub's public description with over 1,200 operations: imported, served, rendered in every format, measured and
// linted.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { check } from '../findings.mjs';
import { root } from '../project.mjs';
import { runNode } from '../tool.mjs';
import { description } from './description.mjs';
import { countsOfExport, countsOfOriginal, worse } from './linted.mjs';
import { unlistedLosses } from './losses.mjs';
import { rendered } from './rendered.mjs';

const MODULES = [
  'content-negotiation',
  'content-validation',
  'mvc-auth',
  'hosting',
  'documentation',
  'documentation-apidesc',
  'documentation-formats',
];

/** @param {(text: string) => void} say */
export async function github(say) {
  const { file, name, document } = await description();
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-github-'));
  try {
    mkdirSync(path.join(folder, 'config', 'autoload'), { recursive: true });
    writeFileSync(path.join(folder, 'config', 'application.json'), JSON.stringify({ modules: MODULES }));
    const cli = path.join(root, 'dist', 'cli.js');
    const { code, output, errors } = await runNode([
      cli,
      'import',
      'openapi',
      file,
      '--api',
      'GitHub',
      '--root',
      folder,
    ]);
    check('GitHub: its description is imported', code === 0 ? [] : [output + errors]);
    if (code !== 0) return;
    say(
      `${name}: ${/\d+ services, \d+ operations/.exec(output)?.[0]}, ${output.trim().split('\n').length - 2} kinds of losses`,
    );
    const server = await start(folder);
    let exported;
    try {
      exported = await rendered(server, say);
    } finally {
      await server.stop();
    }
    check(
      'GitHub: every loss is in the report',
      unlistedLosses(document, JSON.parse(exported), output, '/v1'),
    );
    const exportedFile = path.join(folder, 'exported.json');
    writeFileSync(exportedFile, exported);
    const before = await countsOfOriginal(name, document, folder);
    const after = await countsOfExport(exportedFile);
    check('GitHub: the export has no more linter findings than the original', worse(before, after));
    for (const [title, counts] of Object.entries({ original: before, exported: after })) {
      const sum = Object.values(counts).reduce((all, count) => all + count, 0);
      say(
        `${title}: ${sum} findings of linters: ${Object.entries(counts)
          .map(([rule, count]) => `${rule.replace(/^.*(?:lint|oas) /, '')} ${count}`)
          .join(', ')}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(folder) {
  const child = fork(path.join(import.meta.dirname, 'server.mjs'), [folder], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', OPERATIONS_LISTEN: 'off' },
  });
  const ended = once(child, 'exit');
  const answer = async () => {
    const [one] = await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error('The server ended.'))),
    ]);
    return one;
  };
  const ask = (question) => {
    child.send(question);
    return answer();
  };
  return {
    origin: await answer(),
    /** Bytes. */
    used: () => ask('used'),
    /** Microseconds of CPU time since the start. */
    worked: () => ask('worked'),
    stop() {
      child.send('stop');
      return ended;
    },
  };
}
