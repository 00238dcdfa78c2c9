import { PasswordEditError } from '../password-files/editing/password-edit-error';
import type { CommandIo } from './command-io';
import { firstLine, withHiddenInput, type AskHidden } from './hidden-input';

/** Where a command reads a password. */
export interface PasswordSource {
  /** Read the first line of standard input even if it is a terminal. */
  readonly stdin?: boolean;
}

/**
 * Reads a new password, entered twice on a terminal, once by scripts. Rejects with PasswordEditError if the two differ.
 *
 * @param check throws for an invalid password, before it is entered again
 * @param warning to confirm first, as with {@link confirm}
 */
export async function readNewPassword(
  io: CommandIo,
  source: PasswordSource,
  check: (password: string) => void,
  warning?: string,
): Promise<string> {
  if (isScripted(io, source)) {
    if (warning !== undefined) throw refusal(warning);
    const password = await firstLine(io);
    check(password);
    return password;
  }
  return withHiddenInput(io, async (ask) => {
    if (warning !== undefined) await askToContinue(ask, warning);
    const password = await ask('New password: ');
    check(password);
    if ((await ask('Re-type new password: ')) === password) return password;
    throw new PasswordEditError('The passwords do not match.');
  });
}

/** Reads a password to verify. */
export function readPassword(io: CommandIo, source: PasswordSource): Promise<string> {
  return isScripted(io, source) ? firstLine(io) : withHiddenInput(io, (ask) => ask('Enter password: '));
}

/** Asks for confirmation. Rejects with PasswordEditError unless the answer is yes, and for scripts. */
export function confirm(io: CommandIo, source: PasswordSource, warning: string): Promise<void> {
  if (isScripted(io, source)) return Promise.reject(refusal(warning));
  return withHiddenInput(io, (ask) => askToContinue(ask, warning));
}

async function askToContinue(ask: AskHidden, warning: string): Promise<void> {
  const answer = await ask(`${warning}\nContinue anyway? [y/N] `, { visible: true });
  if (!/^y(es)?$/i.test(answer.trim())) throw new PasswordEditError('Nothing was changed.');
}

function refusal(warning: string): PasswordEditError {
  return new PasswordEditError(`${warning} Nothing was changed; add --force to do it anyway.`);
}

function isScripted(io: CommandIo, source: PasswordSource): boolean {
  return source.stdin === true || io.stdin.isTTY !== true;
}
