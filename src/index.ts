#!/usr/bin/env node
import './node-version';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isTree, StartError, type Application } from './framework';
import { Catalogue } from './modules/hosting';
import { describe, Signals } from './signals';
import { startPlatform } from './start';

const HELP = `Serves the APIs that config/application.json lists.

Usage: node dist/index.js [--root FOLDER] [--help] [--version]

Options:
  --root FOLDER   the folder that holds config/ (default: the working directory)
  --help          this text
  --version       the version of the platform

Environment:
  HOST            the address to listen on (default: server.host, 127.0.0.1)
  PORT            the port to listen on; 0 takes a free one (default: server.port, 8080)
  any other       takes the place of "\${NAME}" in configuration values

Configuration, later ones win:
  config/autoload/global.json, *.global.{json,js}, local.json, *.local.{json,js}

Signals:
  SIGINT, SIGTERM stop: requests in flight finish
  SIGHUP          take the configuration up again; one that is wrong changes nothing
`;

/** @throws StartError for words that are no option */
function readOptions(words: readonly string[]): { readonly root?: string; readonly show?: string } {
  const options: { root?: string } = {};
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--help' || word === '-h') return { show: HELP };
    if (word === '--version') return { show: `${packageVersion()}\n` };
    const value = word === '--root' ? rest.shift() : /^--root=(.+)$/.exec(word)?.[1];
    if (value === undefined) throw new StartError(`"${word}" is no option, or lacks its value. See --help.`);
    options.root = value;
  }
  return options;
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8'));
  return isTree(manifest) && typeof manifest.version === 'string' ? manifest.version : 'unknown';
}

async function main(): Promise<void> {
  const { show, root } = readOptions(process.argv.slice(2));
  if (show !== undefined) {
    process.stdout.write(show);
    return;
  }
  // Nothing left to wait for, and not yet listening: some promise is never settled.
  const stuck = (): void => {
    process.stderr.write(
      'The start came to nothing: a module, or a factory of a service, waits for what never happens.\n',
    );
    process.exitCode = 1;
  };
  process.once('beforeExit', stuck);
  const signals = new Signals();
  const platform = await startPlatform(root === undefined ? {} : { root });
  process.off('beforeExit', stuck);
  const { application, origin } = platform;
  for (const warning of application.warnings) process.stderr.write(`Warning: ${warning}\n`);
  process.stdout.write(`${banner(origin, application, await sampleAddresses(application))}\n`);

  // Whoever read the console may be gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  signals.serve(platform);
}

/** An address of each API to begin with: the collections and procedures that need nothing. */
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

function banner(origin: string, { baseUrl, notices }: Application, apis: readonly string[]): string {
  const lines = [
    ...apis.map((api) => ['API', `${origin}${baseUrl}${api}`]),
    ['Documentation', `${origin}${baseUrl}/platform/documentation`],
    ...notices.map(({ label, target }) => [label, `${origin}${target}`]),
    ...(process.platform === 'win32' ? [] : [['Reload', `kill -HUP ${process.pid}`]]),
    ['Stop', 'Ctrl+C'],
  ];
  return lines.map(([name = '', value = '']) => `${name.padEnd(15)}${value}`).join('\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
});
