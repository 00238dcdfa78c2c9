import type { Readable, Writable } from 'node:stream';
import { PasswordEditError } from '../password-files/password-edit-error';

/** Where a command reads and writes; `process` fits. */
export interface CommandIo {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Told how the command ended; without it `process.exitCode` is set. */
  readonly exit?: (code: number) => void;
}

/** How commands end. */
export const EXIT = { done: 0, failed: 1, wrongPassword: 3, interrupted: 130 } as const;

/** The person at the terminal gave up. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** Runs a command, says on `stderr` why it failed, and reports how it ended. */
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
    const isOurs = error instanceof PasswordEditError;
    io.stderr.write(`${isOurs ? '' : 'Failed: '}${error instanceof Error ? error.message : String(error)}\n`);
    exit(EXIT.failed);
  }
}
