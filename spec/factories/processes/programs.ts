import { spawnSync } from 'node:child_process';
import { accessSync, appendFileSync, constants, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import table from '../../programs.json';

/** An external program; `spec/programs.json` says how to find it, and which Debian package contains it. */
export type Program = keyof typeof table;

interface Entry {
  /** The Debian package. */
  readonly package: string;
  /** Its file names; defaults to its name. */
  readonly commands?: readonly string[];
  /** Where it may be apart from the PATH. */
  readonly folders?: readonly string[];
  /** The environment variable that may contain its path. */
  readonly variable?: string;
  /** Arguments with which it succeeds when it is usable. */
  readonly probe?: readonly string[];
}

/**
 * Declares the programs that suites need. Returns jest's `describe` and `it`, which are skipped on a machine without
 * them; `npm test` then names the suites and the command that installs the programs. With `CI=true` a missing program
 * is an error. Start the programs with `env: process.env`, as `run` does: elsewhere they are hidden.
 *
 * @example
 * const { describe, it } = withPrograms('curl', 'wget');
 */
export function withPrograms(...programs: readonly Program[]): { describe: jest.Describe; it: jest.It } {
  const files = fileOfEach(programs);
  const missing = programs.filter((program) => files.get(program) === undefined);
  if (missing.length === 0) {
    for (const file of files.values()) if (file !== undefined) allow(file);
    return { describe, it };
  }
  if (isContinuousIntegration())
    throw new Error(
      `Missing: ${missing.join(', ')}. With CI=true nothing is skipped: ${installation(missing)}`,
    );
  const { SPEC_SKIPPED } = process.env;
  const { testPath } = expect.getState();
  if (SPEC_SKIPPED !== undefined) appendFileSync(SPEC_SKIPPED, `${JSON.stringify({ testPath, missing })}\n`);
  return { describe: describe.skip, it: it.skip };
}

/** The path of a declared program. @throws Error for an undeclared one */
export function executableOf(program: Program): string {
  const names = commandsOf(program);
  const found = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== process.env.SPEC_PROGRAMS && isAllowed(folder))
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find(isExecutable);
  if (found === undefined) throw new Error(`${program} is not declared: call withPrograms('${program}').`);
  return found;
}

/**
 * Programs with the same command share one file, which must suit all of them: Python with every package that is needed.
 */
function fileOfEach(programs: readonly Program[]): ReadonlyMap<Program, string | undefined> {
  const fileOf = (program: Program): string | undefined => {
    const same = programs.filter((other) => commandsOf(other)[0] === commandsOf(program)[0]);
    return placesOf(program).find((file) => isExecutable(file) && isUsable(file, same));
  };
  return new Map(programs.map((program) => [program, fileOf(program)]));
}

const entryOf = (program: Program): Entry => table[program];
const commandsOf = (program: Program): readonly string[] => entryOf(program).commands ?? [program];
const probeOf = (program: Program): readonly string[] | undefined => entryOf(program).probe;

function placesOf(program: Program): readonly string[] {
  const { folders: others = [], variable } = entryOf(program);
  const named = variable === undefined ? undefined : process.env[variable];
  const folders = [...(process.env.SPEC_PATH ?? '').split(path.delimiter), ...others];
  const places = commandsOf(program).flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return named === undefined ? places : [named, ...places];
}

function isUsable(file: string, programs: readonly Program[]): boolean {
  return programs.every((program) => {
    const probe = probeOf(program);
    return probe === undefined || spawnSync(file, probe, { stdio: 'ignore' }).status === 0;
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const allowedFolder = (): string => path.join(process.env.SPEC_PROGRAMS ?? '', 'allowed');
const isAllowed = (folder: string): boolean => folder.startsWith(allowedFolder());

/** Adds it to the PATH before the folder that hides it, in a separate folder: its neighbours stay hidden. */
function allow(file: string): void {
  const folder = path.join(allowedFolder(), file.replaceAll(path.sep, '_'));
  const { PATH = '' } = process.env;
  if (PATH.split(path.delimiter).includes(folder)) return;
  mkdirSync(folder, { recursive: true });
  const link = path.join(folder, path.basename(file));
  try {
    symlinkSync(file, link);
  } catch (error) {
    // Another worker created it first.
    if (!existsSync(link)) throw error;
  }
  process.env.PATH = `${folder}${path.delimiter}${PATH}`;
}

function isContinuousIntegration(): boolean {
  return !['', '0', 'false'].includes(process.env.CI ?? '');
}

function installation(missing: readonly Program[]): string {
  return `apt-get install ${[...new Set(missing.map((program) => table[program].package))].sort().join(' ')}`;
}
