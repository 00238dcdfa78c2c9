import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { UsageError } from '../usage-error';
import { DATABASES, type ProjectChoices } from './project-files';

/** The streams of a command that asks. */
export interface TerminalIo {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
}

/** Answers to the question for a database. */
export const DATABASE_ANSWERS = ['none', ...DATABASES] as const;

/** What is not decided yet; `folder` is a path as its user writes it. */
export interface OpenChoices {
  readonly folder: string | undefined;
  readonly language: ProjectChoices['language'] | undefined;
  readonly database: (typeof DATABASE_ANSWERS)[number] | undefined;
}

export interface Choices extends Pick<ProjectChoices, 'language' | 'database'> {
  readonly folder: string;
}

/**
 * Asks for the missing choices on a terminal. Scripts get the defaults: the working directory, TypeScript, no database.
 * @param assertUsable throws a UsageError for a folder in which no project can be created; the question is repeated
 * @throws UsageError if the user interrupts the questions
 */
export async function askChoices(
  open: OpenChoices,
  { stdin, stdout }: TerminalIo,
  assertUsable: (folder: string) => void,
): Promise<Choices> {
  const { folder, language, database } = open;
  if (stdin.isTTY !== true)
    return {
      folder: folder ?? '.',
      language: language ?? 'typescript',
      database: withoutNone(database ?? 'none'),
    };
  if (folder !== undefined && language !== undefined && database !== undefined)
    return { folder, language, database: withoutNone(database) };
  const terminal = createInterface({ input: stdin, output: stdout });
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  terminal.once('SIGINT', interrupt).once('close', interrupt);
  const ask = (question: string): Promise<string> =>
    terminal.question(question, { signal: interrupted.signal });
  try {
    return {
      folder: folder ?? (await askFolder(ask, assertUsable, stdout)),
      language: language ?? (await select(ask, 'Language', ['typescript', 'javascript'], stdout)),
      database: withoutNone(database ?? (await select(ask, 'Database', DATABASE_ANSWERS, stdout))),
    };
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    throw new UsageError('\nInterrupted: nothing was created.');
  } finally {
    terminal.close();
  }
}

/** Asks until the answer is a folder that can be used: otherwise the other answers would be lost. */
async function askFolder(
  ask: (question: string) => Promise<string>,
  assertUsable: (folder: string) => void,
  stdout: Writable,
): Promise<string> {
  for (;;) {
    const folder = (await ask('Folder of the project [my-api]: ')).trim() || 'my-api';
    try {
      assertUsable(folder);
      return folder;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      stdout.write(`${error.message}\n`);
    }
  }
}

/** Asks until the answer is an option, or the beginning of one. The first option is the default. */
async function select<Option extends string>(
  ask: (question: string) => Promise<string>,
  name: string,
  options: readonly [Option, ...Option[]],
  stdout: Writable,
): Promise<Option> {
  for (;;) {
    const answer = (await ask(`${name}: ${options.join(', ')} [${options[0]}]: `)).trim().toLowerCase();
    const found = answer === '' ? options[0] : options.find((option) => option.startsWith(answer));
    if (found !== undefined) return found;
    stdout.write(`"${answer}" is not available. Choose one of: ${options.join(', ')}.\n`);
  }
}

function withoutNone(database: (typeof DATABASE_ANSWERS)[number]): ProjectChoices['database'] {
  return database === 'none' ? undefined : database;
}
