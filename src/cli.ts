#!/usr/bin/env node
import './node-version';
import { Command } from 'commander';
import { registerHtdigest, registerHtpasswd } from './modules/mvc-auth';

const program = new Command('platform')
  .description('Tools for those who run the platform.')
  .showHelpAfterError();
const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
registerHtdigest(program, io);
registerHtpasswd(program, io);

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
