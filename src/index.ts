#!/usr/bin/env node
import { packageVersion } from './node-version';
import { loadOwnModules } from './loading/own-modules';

loadOwnModules(module, 'server');

import path from 'node:path';
import { completeOutput } from './command-line/complete-output';
import { reportLostOutput } from './command-line/lost-output';
import { UsageError } from './command-line/usage-error';
import { serve } from './serve';
import { describe } from './signals';

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
  NO_COLOR        if set, lines on a terminal have no colours
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
  if (show === undefined) {
    await serve(root);
    return;
  }
  completeOutput(reportLostOutput);
  process.stdout.write(show);
}

main().catch((error: unknown) => {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
});
