import { InvalidArgumentError, type Command } from 'commander';
import { BCRYPT_COST } from '../password-files/hashes/bcrypt-hash';
import { checkBcryptPassword, checkName } from '../password-files/names';
import { readPasswordTable } from '../password-files/password-table';
import { passwordLine, removePasswordUser, setPasswordLine } from '../password-files/password-users';
import { runCommand, type CommandIo } from './command-io';
import { runUserCommand, type UserCommandOptions } from './user-command';

interface HtpasswdOptions extends UserCommandOptions {
  readonly cost: number;
}

const CHEAPEST = 4;

/** Beyond it a single password takes seconds; Apache's tool stops there too. */
const DEAREST = 17;

/**
 * Registers `htpasswd [options] FILE USER`, which keeps the users of a password file with bcrypt hashes that
 * Apache reads too. Ends with 0, 1 (nothing was changed, the reason is on `stderr`) or 3 (`-v`: wrong password).
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
    .argument('<user>', 'the name of the user')
    .option('-c, --create', 'create the file')
    .option('--force', 'with -c: begin an existing file anew')
    .option('-C, --cost <number>', `the cost of bcrypt, ${CHEAPEST} to ${DEAREST}`, costOf, BCRYPT_COST)
    .option('-D, --delete', 'delete the user')
    .option('-v, --verify', 'verify the password, change nothing')
    .option('-i, --stdin', 'take the password from the first line of the standard input')
    .action((file: string, username: string, options: HtpasswdOptions) =>
      runCommand(io, async () => htpasswd(io, file, username, options)),
    );
}

function htpasswd(io: CommandIo, file: string, username: string, options: HtpasswdOptions): Promise<number> {
  return runUserCommand(io, {
    file,
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
      const hash = readPasswordTable(bytes.toString('utf8')).users.get(username);
      return hash && ((password) => hash.verify(password));
    },
    notice: () => undefined,
  });
}

function costOf(text: string): number {
  const cost = Number(text);
  if (/^\d+$/.test(text) && cost >= CHEAPEST && cost <= DEAREST) return cost;
  throw new InvalidArgumentError(`Allowed is a number from ${CHEAPEST} to ${DEAREST}.`);
}
