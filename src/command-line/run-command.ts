import { ConfigurationError, FileError, printableLines, Problem } from '../framework';
import type { CommandContext } from './command-context';
import { describeProblem } from './report';
import { reportUnsettled } from './unsettled-startup';
import { UsageError } from './usage-error';

/** Runs a command, prints the message of an error to `stderr`, and sets the exit code. */
export async function runCommand(io: CommandContext, command: () => Promise<void>): Promise<void> {
  const exit =
    io.exit ??
    ((code: number): void => {
      process.exitCode = code;
    });
  try {
    await reportUnsettled(io.stderr, command);
    exit(0);
  } catch (error) {
    // A message may quote the content of a file.
    io.stderr.write(`${printableLines(messageOf(error))}\n`);
    exit(1);
  }
}

/** @throws the error itself if its message is not meant for users */
function messageOf(error: unknown): string {
  if (error instanceof Problem && error.status < 500) return describeProblem(error);
  const forUsers = [Problem, ConfigurationError, FileError, UsageError];
  if (error instanceof Error && forUsers.some((type) => error instanceof type)) return error.message;
  throw error;
}
