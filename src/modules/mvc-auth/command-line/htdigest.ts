import { InvalidArgumentError, type Command } from 'commander';
import { timingSafeEqual } from 'node:crypto';
import {
  DIGEST_ALGORITHMS,
  digestSecret,
  toDigestAlgorithm,
  type DigestAlgorithm,
} from '../http/digest/digest-algorithm';
import {
  checkDigestUser,
  digestSecrets,
  removeDigestUser,
  setDigestPassword,
  type DigestUser,
} from '../password-files/editing/digest-users';
import { checkPassword } from '../password-files/names';
import { describeLostAlgorithms } from '../password-files/editing/lost-algorithms';
import { runCommand, type CommandIo } from './command-io';
import { runUserCommand, type UserCommandOptions } from './user-command';

interface HtdigestOptions extends UserCommandOptions {
  readonly algorithm?: readonly DigestAlgorithm[];
}

/**
 * Registers `htdigest [options] FILE REALM USER`, which manages the users of a digest file like Apache's tool. Exits with
 * 0, 1 (nothing changed, reason on `stderr`) or 3 (`-v`: wrong password).
 *
 * @example
 * registerHtdigest(program, process);
 * await program.parseAsync(['htdigest', '-c', 'data/htdigest', 'api', 'Mufasa'], { from: 'user' });
 */
export function registerHtdigest(program: Command, io: CommandIo): void {
  program
    .command('htdigest')
    .description('set, delete or verify the password of a user in a digest file')
    .argument('<file>', 'the digest file')
    .argument('<realm>', 'the realm that the adapter is configured with')
    .argument('<user>', 'the user name')
    .option('-c, --create', 'create the file; fails if it exists (without -c, a missing file is created too)')
    .option(
      '--force',
      'with -c: overwrite an existing file; with -a: do not ask for confirmation if other users lose an algorithm',
    )
    .option(
      '-a, --algorithm <names>',
      `set, delete or verify only the lines for these algorithms, separated by commas: ${DIGEST_ALGORITHMS.join(', ')} (default for new users: SHA-256,MD5)`,
      algorithmsOf,
    )
    .option('-D, --delete', 'delete the user')
    .option('-v, --verify', 'verify the password without changing anything')
    .option('-i, --stdin', 'read the password from the first line of standard input')
    .action((file: string, realm: string, username: string, options: HtdigestOptions) =>
      runCommand(io, async () => htdigest(io, file, { realm, username }, options)),
    );
}

function htdigest(io: CommandIo, file: string, user: DigestUser, options: HtdigestOptions): Promise<number> {
  const algorithms = options.algorithm;
  return runUserCommand(io, {
    file,
    kind: 'htdigest',
    options,
    user: `user "${user.username}" in realm "${user.realm}"`,
    checkNames: () => checkDigestUser(user),
    checkPassword,
    set: (password) => Promise.resolve((bytes) => setDigestPassword(bytes, user, password, algorithms)),
    remove: (bytes) => removeDigestUser(bytes, user, algorithms),
    verify: (bytes) => {
      const secrets = [...digestSecrets(bytes, user)].filter(
        ([algorithm]) => algorithms?.includes(algorithm) ?? true,
      );
      if (secrets.length === 0) return undefined;
      return (password) =>
        Promise.resolve(
          secrets.every(([algorithm, secret]) => isSecretOf(algorithm, user, password, secret)),
        );
    },
    loss: (bytes, edit) => {
      if (algorithms === undefined) return undefined;
      // The password makes no difference to the loss.
      const edited =
        edit === 'set'
          ? setDigestPassword(bytes, user, 'any', algorithms)
          : removeDigestUser(bytes, user, algorithms);
      const loss = describeLostAlgorithms(bytes, edited, user.realm, edit);
      return loss && `${loss} Omit -a to ${edit} all lines of the user.`;
    },
    notice: (bytes) => {
      const others = [...digestSecrets(bytes, user).keys()].filter(
        (name) => algorithms?.includes(name) === false,
      );
      if (others.length === 0) return undefined;
      return `The user also has a line for ${others.join(', ')}, with an unchanged password; omit -a to set all.`;
    },
  });
}

function isSecretOf(algorithm: DigestAlgorithm, user: DigestUser, password: string, secret: string): boolean {
  const expected = digestSecret(algorithm, user.username, user.realm, password);
  return timingSafeEqual(Buffer.from(expected), Buffer.from(secret));
}

function algorithmsOf(names: string): readonly DigestAlgorithm[] {
  return names.split(',').map((name) => {
    const algorithm = toDigestAlgorithm(name.trim());
    if (algorithm === undefined) throw new InvalidArgumentError(`Allowed: ${DIGEST_ALGORITHMS.join(', ')}.`);
    return algorithm;
  });
}
