#!/usr/bin/env node
import { packageVersion } from './node-version';
import { loadOwnModules } from './loading/own-modules';

loadOwnModules(module, process.argv[2] === 'serve' ? 'server' : 'commands');

import 'reflect-metadata';
import { Command } from 'commander';
import { existsSync } from 'node:fs';
import { commandGroupsFor } from './command-line/commands';
import { completeOutput } from './command-line/complete-output';
import type * as LostOutput from './command-line/lost-output';
import type * as Server from './serve';

const load = require;

/** A server does not depend on its output. */
let isServing = false;

/** How to create a project, if there is none in the working directory. */
function projectHelp(): string {
  return existsSync('config/application.json')
    ? ''
    : '\nThis folder contains no project: create one with: npx apidesc-platform init my-api';
}

const program = new Command('apidesc-platform')
  .description('Serve a project, and manage its configuration, password files and documentation.')
  .version(packageVersion(), '--version', 'print the version of the platform')
  // Without positional options, `import openapi --version 2` would print the version of the platform.
  .enablePositionalOptions()
  .showHelpAfterError()
  .addHelpText('after', projectHelp);
program
  .command('serve')
  .description(
    'serve the APIs of a project, as node dist/index.js does; the environment variables are listed there',
  )
  .option('--root <folder>', 'the folder that contains config/', '.')
  .action(async ({ root }: { readonly root: string }) => {
    isServing = true;
    await (load('./serve') as typeof Server).serve(root);
  });
// Loading all commands takes longer than most of them.
for (const { register } of commandGroupsFor(process.argv.slice(2))) register(program);

/** Commander prints a general help for `help` of an unknown command, without a word about it. */
function withKnownHelp(words: readonly string[]): readonly string[] {
  let { commands } = program;
  for (const [at, word] of words.entries()) {
    const named = (name: string): Command | undefined => commands.find((one) => one.name() === name);
    const called = named(word);
    if (called === undefined) {
      const of = words[at + 1] ?? '-';
      const isKnown = word !== 'help' || of.startsWith('-') || named(of) !== undefined;
      return isKnown || commands.length === 0 ? words : [...words.slice(0, at), ...words.slice(at + 1)];
    }
    ({ commands } = called);
  }
  return words;
}

process.stderr.on('error', () => undefined);
completeOutput((error) => {
  if (isServing) return;
  (load('./command-line/lost-output') as typeof LostOutput).reportLostOutput(error);
});

program.parseAsync(withKnownHelp(process.argv.slice(2)), { from: 'user' }).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
