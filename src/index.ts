#!/usr/bin/env node
import { packageVersion } from './node-version';
import { createRequire } from 'node:module';
import path from 'node:path';
import { reportUnsettled } from './command-line/unsettled-startup';
import { UsageError } from './command-line/usage-error';
import type { Application } from './framework';
import { Catalogue } from './modules/hosting';
import { describe, notify, Signals } from './signals';
import { startProcess, type ProcessRole, type RunningPlatform } from './start';
import type * as Primary from './workers/primary';
import type { Workers } from './workers/workers';

const load = createRequire(__filename);

/** With the command that starts this file from the working directory, also from `node_modules`. */
const help = (): string => `Serves the APIs of the modules listed in config/application.json.

Usage: node ${path.relative('.', __filename)} [--root FOLDER] [--help] [--version]

Options:
  --root FOLDER   the folder that contains config/ (default: the working directory)
  --help          print this text
  --version       print the version of the platform

Environment:
  HOST            address to listen on (default: server.host, 127.0.0.1)
  PORT            port to listen on; 0 selects a free port (default: server.port, 8080)
  LOG_LEVEL       silent, error, warn, info or debug (default: log.level, info)
  NO_COLOR        if set, lines on a terminal have no colors
  OPERATIONS_LISTEN  HOST:PORT of /live, /ready and /metrics, or off (default: platform-operations.listen)
  any other       replaces "\${NAME}" in configuration values

Configuration files, later ones override earlier ones:
  config/autoload/global.json, *.global.{json,js}, local.json, *.local.{json,js}

Signals:
  SIGINT, SIGTERM shut down gracefully: requests in flight finish
  SIGHUP          reload the configuration; an invalid one changes nothing
  SIGUSR1         with server.workers: replace the workers one after the other
  SIGUSR2         open the files of the access log and the audit log again, after they were renamed
`;

/** @throws UsageError for an unknown option */
function readOptions(args: readonly string[]): { readonly root?: string; readonly show?: string } {
  const options: { root?: string } = {};
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--help' || word === '-h') return { show: help() };
    if (word === '--version') return { show: `${packageVersion()}\n` };
    const value = word === '--root' ? rest.shift() : /^--root=(.+)$/.exec(word)?.[1];
    if (value === undefined) throw new UsageError(`Unknown option, or missing value: "${word}". See --help.`);
    options.root = value;
  }
  return options;
}

async function main(): Promise<void> {
  const { show, root } = readOptions(process.argv.slice(2));
  if (show !== undefined) {
    process.stdout.write(show);
    return;
  }
  const signals = new Signals();
  const platform = await reportUnsettled(process.stderr, () =>
    startProcess(root === undefined ? {} : { root }, { startWorkers }),
  );
  const { application } = platform;
  for (const warning of application.warnings) process.stderr.write(`Warning: ${warning}\n`);
  const lines = banner(platform, application, await sampleAddresses(application));
  // The reader of the console may be gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // Before the address is printed: a process that waits for it may send a signal immediately.
  signals.serve(platform);
  process.stdout.write(`${lines}\n`);
  notify('ready');
}

/** Loads what only several processes need. */
function startWorkers(...[primary]: Parameters<NonNullable<ProcessRole['startWorkers']>>): Promise<Workers> {
  const { openWorkers } = load('./workers/primary') as typeof Primary;
  return openWorkers(primary);
}

/** One address per public API, for a first request: its first service with a GET operation. */
async function sampleAddresses({ services }: Application): Promise<readonly string[]> {
  if (!services.has(Catalogue)) return [];
  const { apis } = await services.get(Catalogue);
  return apis.flatMap(({ basePath, defaultVersion, versions, visibility }) => {
    if (visibility !== 'public') return [];
    const version = versions.find((one) => one.version === defaultVersion);
    const [first] =
      version?.services.filter(({ operations }) => operations.some(({ method }) => method === 'GET')) ?? [];
    return first === undefined ? [] : [`${basePath}/v${defaultVersion}${first.route.replace(/\[.*$/, '')}`];
  });
}

function banner(
  { origin, operations, workers }: RunningPlatform,
  { baseUrl, notices }: Application,
  apis: readonly string[],
): string {
  const lines = [
    ...apis.map((api) => ['API', `${origin}${baseUrl}${api}`]),
    ['Documentation', `${origin}${baseUrl}/platform/documentation`],
    ...(operations === undefined ? [] : [['Metrics', `${operations}/metrics`]]),
    ...(workers === undefined ? [] : [['Workers', String(workers.size)]]),
    ...notices.map(({ label, target }) => [label, `${origin}${target}`]),
    ...(process.platform === 'win32' ? [] : [['Reload', `kill -HUP ${process.pid}`]]),
    ['Stop', 'Ctrl+C'],
  ];
  const width = Math.max(...lines.map(([name = '']) => name.length)) + 2;
  return lines.map(([name = '', value = '']) => `${name.padEnd(width)}${value}`).join('\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
});
