import { PasswordEditError } from '../password-files/password-edit-error';
import type { CommandIo } from './command-io';
import { firstLine, withHiddenInput } from './hidden-input';

/** Where a password comes from. */
export interface PasswordSource {
  /** Take the first line of the standard input also where that is a terminal. */
  readonly stdin?: boolean;
}

/**
 * A new password, asked for twice on a terminal; scripts send it once. Rejects with PasswordEditError when the
 * two differ.
 *
 * @param check throws when the password is refused, before it is asked for again
 */
export async function readNewPassword(
  io: CommandIo,
  source: PasswordSource,
  check: (password: string) => void,
): Promise<string> {
  if (comesFromScript(io, source)) {
    const password = await firstLine(io);
    check(password);
    return password;
  }
  return withHiddenInput(io, async (ask) => {
    const password = await ask('New password: ');
    check(password);
    if ((await ask('Re-type new password: ')) === password) return password;
    throw new PasswordEditError("They don't match, sorry.");
  });
}

/** A password to be tried, asked for once. */
export function readPassword(io: CommandIo, source: PasswordSource): Promise<string> {
  return comesFromScript(io, source) ? firstLine(io) : withHiddenInput(io, (ask) => ask('Enter password: '));
}

function comesFromScript(io: CommandIo, source: PasswordSource): boolean {
  return source.stdin === true || io.stdin.isTTY !== true;
}
