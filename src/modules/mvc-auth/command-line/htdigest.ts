import { InvalidArgumentError, type Command } from 'commander';
import { timingSafeEqual } from 'node:crypto';
import {
  DIGEST_ALGORITHMS,
  digestSecret,
  toDigestAlgorithm,
  type DigestAlgorithm,
} from '../password-files/digest-algorithm';
import {
  checkDigestUser,
  digestSecrets,
  removeDigestUser,
  setDigestPassword,
  type DigestUser,
} from '../password-files/digest-users';
import { checkPassword } from '../password-files/names';
import { runCommand, type CommandIo } from './command-io';
import { runUserCommand, type UserCommandOptions } from './user-command';

interface HtdigestOptions extends UserCommandOptions {
  readonly algorithm?: DigestAlgorithm;
}

/**
 * Registers `htdigest [options] FILE REALM USER`, which keeps the users of a digest file as Apache's tool of
 * that name does. Ends with 0, 1 (nothing was changed, the reason is on `stderr`) or 3 (`-v`: wrong password).
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
    .argument('<realm>', 'the realm, as in the configuration of the adapter')
    .argument('<user>', 'the name of the user')
    .option('-c, --create', 'create the file')
    .option('--force', 'with -c: begin an existing file anew')
    .option(
      '-a, --algorithm <name>',
      `only the line of one algorithm: ${DIGEST_ALGORITHMS.join(', ')}`,
      algorithmOf,
    )
    .option('-D, --delete', 'delete the user')
    .option('-v, --verify', 'verify the password, change nothing')
    .option('-i, --stdin', 'take the password from the first line of the standard input')
    .action((file: string, realm: string, username: string, options: HtdigestOptions) =>
      runCommand(io, async () => htdigest(io, file, { realm, username }, options)),
    );
}

function htdigest(io: CommandIo, file: string, user: DigestUser, options: HtdigestOptions): Promise<number> {
  const algorithms = options.algorithm && [options.algorithm];
  return runUserCommand(io, {
    file,
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
    notice: (bytes) => {
      const others = [...digestSecrets(bytes, user).keys()].filter((name) => name !== options.algorithm);
      if (options.algorithm === undefined || others.length === 0) return undefined;
      return `The user also has a line for ${others.join(', ')}, which keeps its password; leave -a out to set all.`;
    },
  });
}

function isSecretOf(algorithm: DigestAlgorithm, user: DigestUser, password: string, secret: string): boolean {
  const tried = digestSecret(algorithm, user.username, user.realm, password);
  return timingSafeEqual(Buffer.from(tried), Buffer.from(secret));
}

function algorithmOf(name: string): DigestAlgorithm {
  const algorithm = toDigestAlgorithm(name);
  if (algorithm === undefined) throw new InvalidArgumentError(`Allowed are ${DIGEST_ALGORITHMS.join(', ')}.`);
  return algorithm;
}
