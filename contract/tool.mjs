// Runs the tools that are installed here.
import { spawn } from 'node:child_process';
import path from 'node:path';

/** Disables update checks and telemetry. */
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SCARF_ANALYTICS: 'false',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
  CI: 'true',
};

/** Runs a script of an installed package. @returns its standard output and exit code */
export function tool(script, args) {
  return runNode([path.join(import.meta.dirname, 'node_modules', script), ...args]);
}

/** Runs a script. @returns its standard output and exit code */
export function runNode(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      env: { ...process.env, ...QUIET },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (part) => (output += part));
    child.stderr.on('data', (part) => (errors += part));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output, errors }));
  });
}
