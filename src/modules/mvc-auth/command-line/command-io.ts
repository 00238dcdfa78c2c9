import { errorMessage } from '../../../framework';
import type { Readable, Writable } from 'node:stream';
import { PasswordEditError } from '../password-files/editing/password-edit-error';

/** Gives a file to other nodes. @throws PasswordEditError if they refuse it */
export type FilePublisher = (before: Buffer | undefined, after: Buffer) => Promise<void>;

/** The streams of a command, e.g. `process`. */
export interface CommandIo {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Returns what gives a file to other nodes before it is written; undefined if no other node has it. */
  readonly publisherOf?: (file: string) => Promise<FilePublisher | undefined>;
  /** Receives the exit code; defaults to setting `process.exitCode`. */
  readonly exit?: (code: number) => void;
}

export const EXIT = { done: 0, failed: 1, wrongPassword: 3, interrupted: 130 } as const;

/** Interrupted at the terminal, e.g. by Ctrl+C. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** Runs a command: writes its error to `stderr` and sets the exit code. */
export async function runCommand(io: CommandIo, command: () => Promise<number>): Promise<void> {
  const exit =
    io.exit ??
    ((code: number): void => {
      process.exitCode = code;
    });
  try {
    exit(await command());
  } catch (error) {
    if (error instanceof InterruptedError) {
      exit(EXIT.interrupted);
      return;
    }
    const isExpected = error instanceof PasswordEditError;
    io.stderr.write(`${isExpected ? '' : 'Failed: '}${errorMessage(error)}\n`);
    exit(EXIT.failed);
  }
}
