import { InvalidArgumentError, type Command } from 'commander';
import { BCRYPT_COST } from '../passwords/hashes/bcrypt-hash';
import { checkBcryptPassword, checkName } from '../password-files/names';
import { PasswordEditError } from '../password-files/editing/password-edit-error';
import { readPasswordTable, unsupportedHash } from '../password-files/password-table';
import { passwordLine, removePasswordUser, setPasswordLine } from '../password-files/editing/password-users';
import { runCommand, type CommandIo } from './command-io';
import { runUserCommand, type UserCommandOptions } from './user-command';

interface HtpasswdOptions extends UserCommandOptions {
  readonly cost: number;
}

const MIN_COST = 4;

/** As in Apache's tool; higher costs take seconds per password. */
const MAX_COST = 17;

/**
 * Registers `htpasswd [options] FILE USER`, which manages the users of a password file with bcrypt hashes, as Apache
 * reads them. Exits with 0, 1 (nothing changed, reason on `stderr`) or 3 (`-v`: wrong password).
 *
 * @example
 * registerHtpasswd(program, process);
 * await program.parseAsync(['htpasswd', '-c', 'data/htpasswd', 'Aladdin'], { from: 'user' });
 */
export function registerHtpasswd(program: Command, io: CommandIo): void {
  program
    .command('htpasswd')
    .description('set, delete or verify the password of a user in a password file')
    .argument('<file>', 'the password file')
    .argument('<user>', 'the user name')
    .option('-c, --create', 'create the file; fails if it exists (without -c, a missing file is created too)')
    .option('--force', 'with -c: overwrite an existing file')
    .option('-C, --cost <number>', `bcrypt cost, ${MIN_COST} to ${MAX_COST}`, costOf, BCRYPT_COST)
    .option('-D, --delete', 'delete the user')
    .option('-v, --verify', 'verify the password without changing anything')
    .option('-i, --stdin', 'read the password from the first line of standard input')
    .action((file: string, username: string, options: HtpasswdOptions) =>
      runCommand(io, async () => htpasswd(io, file, username, options)),
    );
}

function htpasswd(io: CommandIo, file: string, username: string, options: HtpasswdOptions): Promise<number> {
  return runUserCommand(io, {
    file,
    kind: 'htpasswd',
    options,
    user: `user "${username}"`,
    checkNames: () => checkName('user name', username),
    checkPassword: checkBcryptPassword,
    set: async (password) => {
      const line = await passwordLine(username, password, options.cost);
      return (bytes) => setPasswordLine(bytes, username, line);
    },
    remove: (bytes) => removePasswordUser(bytes, username),
    verify: (bytes) => {
      const text = bytes.toString('utf8');
      const reason = unsupportedHash(text, username);
      if (reason !== undefined) {
        throw new PasswordEditError(
          `The line of user "${username}" in ${file} has ${reason}. Set the password again with: apidesc-platform htpasswd ${file} ${username}`,
        );
      }
      const hash = readPasswordTable(text).users.get(username);
      return hash && ((password) => hash.verify(password));
    },
    notice: () => undefined,
  });
}

function costOf(text: string): number {
  const cost = Number(text);
  if (/^\d+$/.test(text) && cost >= MIN_COST && cost <= MAX_COST) return cost;
  throw new InvalidArgumentError(`Allowed: a number from ${MIN_COST} to ${MAX_COST}.`);
}
