import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a script that measures memory, and returns the numbers that it prints as JSON, in bytes. */
export async function runMemoryScript(file: string): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', file]);
  return JSON.parse(stdout) as Record<string, number>;
}
