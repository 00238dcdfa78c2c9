#!/usr/bin/env node
import { packageVersion } from './node-version';
import 'reflect-metadata';
import { Command } from 'commander';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { registerAdapter } from './command-line/adapter-command';
import { registerBackup } from './command-line/backup/command';
import { registerClient } from './command-line/client/command';
import { registerConfig } from './command-line/config-command';
import { registerDatabase } from './command-line/db-command';
import { registerDev } from './command-line/dev/command';
import { registerDocs } from './command-line/docs/command';
import { registerImport } from './command-line/import/command';
import { publisherOf } from './command-line/nodes/publish-file';
import { registerInit } from './command-line/init/command';
import { registerNodes } from './command-line/nodes/command';
import { registerInspect } from './command-line/inspect/command';
import { registerRevision } from './command-line/revision-command';
import { registerSelector } from './command-line/selector-command';
import { registerService } from './command-line/service-command';
import { registerUser } from './command-line/user-command';
import { registerHtdigest, registerHtpasswd, registerKey } from './modules/mvc-auth';
import type * as Server from './serve';

const load = createRequire(__filename);

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
    await (load('./serve') as typeof Server).serve(root);
  });
const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
const fileIo = { ...io, publisherOf: (file: string) => publisherOf(file, process.env) };
registerHtdigest(program, fileIo);
registerHtpasswd(program, fileIo);
registerKey(program, fileIo);
registerUser(program, { ...fileIo, environment: process.env });
const projectIo = { ...io, environment: process.env };
registerInit(program, projectIo);
registerDev(program, projectIo);
registerInspect(program, projectIo);
registerConfig(program, projectIo);
registerDocs(program, projectIo);
registerImport(program, projectIo);
registerClient(program, projectIo);
registerAdapter(program, projectIo);
registerSelector(program, projectIo);
registerRevision(program, projectIo);
registerDatabase(program, projectIo);
registerService(program, projectIo);
registerBackup(program, projectIo);
registerNodes(program, projectIo);

// The reader of a pipe may be gone (`| head`): the command still completes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
