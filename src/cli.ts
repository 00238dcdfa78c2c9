#!/usr/bin/env node
import './node-version';
import 'reflect-metadata';
import { Command } from 'commander';
import { registerAdapter } from './command-line/adapter-command';
import { registerConfig } from './command-line/config-command';
import { registerDocs } from './command-line/docs-command';
import { registerImport } from './command-line/import-command';
import { registerRevision } from './command-line/revision-command';
import { registerSelector } from './command-line/selector-command';
import { registerHtdigest, registerHtpasswd } from './modules/mvc-auth';

const program = new Command('platform')
  .description('Tools for those who run the platform.')
  .showHelpAfterError();
const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
registerHtdigest(program, io);
registerHtpasswd(program, io);
const projectIo = { ...io, environment: process.env };
registerConfig(program, projectIo);
registerDocs(program, projectIo);
registerImport(program, projectIo);
registerAdapter(program, projectIo);
registerSelector(program, projectIo);
registerRevision(program, projectIo);

// Whoever read the console may be gone, as where `head` reads it: the work goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
