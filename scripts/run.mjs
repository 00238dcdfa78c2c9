// Runs commands in the root of the repository.
import { spawn } from 'node:child_process';
import { root } from './up-to-date.mjs';

/** A failed step, whose output is already on the console. */
export class StepError extends Error {}

/** Runs a command; its output goes to the console. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      ...options,
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new StepError(`${[command, ...args].join(' ')} ended with exit code ${code}`)),
    );
  });
}

/** Runs a tool that is installed in node_modules. */
export function tool(name, ...args) {
  return run(process.execPath, [`node_modules/${name}`, ...args]);
}

/** Prints the error message and exits with code 1. */
export function fail(error) {
  console.error(
    error instanceof StepError ? error.message : `${error instanceof Error ? error.message : error}`,
  );
  process.exit(1);
}
