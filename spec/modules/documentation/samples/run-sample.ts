import { execFile } from 'node:child_process';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Program } from '../../../factories/processes/programs';

const execute = promisify(execFile);

/** How samples of a language are run: the programs, the file, and the command with its options before it. */
interface Runner {
  readonly programs: readonly Program[];
  readonly file: string;
  readonly command: string;
  readonly options?: readonly string[];
}

/** The languages whose samples are run. Each sample prints the status and the body. */
export const RUNNERS: Readonly<Record<string, Runner>> = {
  javascript: { programs: [], file: 'sample.mjs', command: 'node' },
  python: { programs: ['python3'], file: 'sample.py', command: 'python3' },
  php: { programs: ['php', 'php-curl'], file: 'sample.php', command: 'php' },
  ruby: { programs: ['ruby'], file: 'sample.rb', command: 'ruby' },
  java: {
    programs: ['java'],
    file: 'Sample.java',
    command: 'java',
    // For programs that run for a moment: its compiler is optimized no further, and it starts fewer threads.
    options: ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
  },
};

/** Runs a sample unchanged in a folder. @returns its output */
export async function runSample(language: string, code: string, folder: string): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, no_proxy: '*' }, timeout: 30_000 };
  const runner = RUNNERS[language];
  if (runner === undefined) throw new Error(`Samples for ${language} cannot be run.`);
  writeFileSync(path.join(folder, runner.file), code);
  const run = async (...more: readonly string[]): Promise<string> =>
    (await execute(runner.command, [...(runner.options ?? []), ...more, runner.file], options)).stdout;
  return language === 'java' ? runWithArchive(folder, run) : run();
}

/**
 * Runs a program of Java with an archive of the loaded classes, most of them of the compiler, which the first program of
 * this run of Jest writes: the others take a third less processor time.
 */
async function runWithArchive(
  folder: string,
  run: (option: string, ...more: readonly string[]) => Promise<string>,
): Promise<string> {
  const archive = path.join(tmpdir(), 'java-samples.jsa');
  if (existsSync(archive)) return run(`-XX:SharedArchiveFile=${archive}`);
  const written = path.join(folder, 'classes.jsa');
  // It would print what it does not archive.
  const output = await run(`-XX:ArchiveClassesAtExit=${written}`, '-Xlog:disable');
  // Renamed, because another suite must not read half of it.
  if (existsSync(written)) renameSync(written, archive);
  return output;
}
