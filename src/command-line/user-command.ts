import type { Command } from 'commander';
import path from 'node:path';
import { ConfigurationError } from '../framework';
import {
  type CommandIo,
  type EditableUsers,
  openEditableUsers,
  PasswordEditError,
  readNewPassword,
  runPasswordCommand,
} from '../modules/mvc-auth';
import type { CommandContext } from './command-context';
import { hostOf } from './open-project';

interface UserOptions {
  readonly root: string;
}

interface PasswordOptions extends UserOptions {
  readonly stdin?: boolean;
  readonly group?: readonly string[];
}

type Io = CommandIo & Pick<CommandContext, 'environment'>;

/**
 * Registers `user add`, `user passwd`, `user disable`, `user enable` and `user groups`, which change the users of an
 * `HttpAdapter`: in password files, or in a table. Exits with 0, or with 1 (nothing changed, reason on `stderr`).
 */
export function registerUser(program: Command, io: Io): void {
  const user = program
    .command('user')
    .description('add, change and disable the users of an adapter, in password files or in a table');
  const subcommand = (name: string, description: string): Command =>
    user
      .command(name)
      .description(description)
      .argument('<adapter>', 'the name of the adapter')
      .argument('<user>', 'the user name')
      .option('--root <folder>', 'the folder that contains config/', '.');
  const stdin = ['-i, --stdin', 'read the password from the first line of standard input'] as const;

  subcommand('add', 'add a user')
    .option('-g, --group <name>', 'a group of the user; repeatable', collect)
    .option(...stdin)
    .action((adapter: string, name: string, options: PasswordOptions) =>
      withUsers(io, adapter, options, async (users) => {
        if (await users.has(name))
          throw new PasswordEditError(
            `The user "${name}" already exists in ${users.title}. To set another password, use "apidesc-platform user passwd".`,
          );
        const password = await readNewPassword(io, options, (text) => users.checkPassword(text));
        await users.add(name, password, options.group ?? []);
        return `Added user "${name}" to ${users.title}.`;
      }),
    );
  subcommand('passwd', 'set the password of a user')
    .option(...stdin)
    .action((adapter: string, name: string, options: PasswordOptions) =>
      withUsers(io, adapter, options, async (users) => {
        const password = await readNewPassword(io, options, (text) => users.checkPassword(text));
        await users.setPassword(name, password);
        return `Changed the password of user "${name}" in ${users.title}.`;
      }),
    );
  subcommand('disable', 'prevent a user from signing in').action(
    (adapter: string, name: string, options: UserOptions) =>
      withUsers(io, adapter, options, (users) => users.disable(name)),
  );
  subcommand('enable', 'let a disabled user sign in again').action(
    (adapter: string, name: string, options: UserOptions) =>
      withUsers(io, adapter, options, (users) => users.enable(name)),
  );
  subcommand('groups', 'print or set the groups of a user')
    .argument('[groups...]', 'the groups of the user from now on; without any, prints them')
    .option('--none', 'remove the user from all groups')
    .action(
      (adapter: string, name: string, groups: readonly string[], options: UserOptions & { none?: boolean }) =>
        withUsers(io, adapter, options, async (users) => {
          const isNone = options.none === true;
          if (isNone && groups.length > 0) throw new PasswordEditError('Name groups, or use --none.');
          if (!isNone && groups.length === 0) return (await users.groupsOf(name)).join('\n') || 'No groups.';
          await users.setGroups(name, groups);
          return isNone
            ? `Removed user "${name}" from all groups.`
            : `User "${name}" is now in: ${groups.join(', ')}.`;
        }),
    );
}

/** @param work returns what to print */
function withUsers(
  io: Io,
  adapter: string,
  { root }: UserOptions,
  work: (users: EditableUsers) => Promise<string>,
): Promise<void> {
  return runPasswordCommand(io, async () => {
    const host = hostOf(path.resolve(root), io, { changesData: true });
    try {
      const configuration = await host.configuration();
      const users = await openEditableUsers(adapter, {
        configuration,
        services: async () => {
          const application = await host.build();
          host.activate(application);
          return application.services;
        },
        ...(io.publisherOf === undefined ? {} : { publisherOf: io.publisherOf }),
      });
      io.stdout.write(`${await work(users)}\n`);
      return 0;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      throw new PasswordEditError(error.message, { cause: error });
    } finally {
      await host.close();
    }
  });
}

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
