import { Command } from 'commander';
import type { CommandContext } from '../../../src/command-line/command-context';

/** How a command ended, and what it wrote. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command of the command-line tool in this process.
 * @param registrations add the command to the program
 */
export async function runWords(
  registrations: readonly ((program: Command, io: CommandContext) => void)[],
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const program = new Command('platform').enablePositionalOptions().exitOverride();
  let [out, err, code] = ['', '', 0];
  const io: CommandContext = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    environment,
    exit: (status: number) => (code = status),
  };
  for (const register of registrations) register(program, io);
  await program.parseAsync([...words], { from: 'user' });
  return { code, out, err };
}
