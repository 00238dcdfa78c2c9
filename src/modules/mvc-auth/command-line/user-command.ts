import { readFile } from 'node:fs/promises';
import { errorCode } from '../../../framework';
import { changePasswordFile } from '../password-files/change-password-file';
import type { EditedFile } from '../password-files/edit-password-file';
import { PasswordEditError } from '../password-files/password-edit-error';
import { EXIT, type CommandIo } from './command-io';
import { readNewPassword, readPassword } from './password-input';

/** The options that both commands have. */
export interface UserCommandOptions {
  readonly create?: boolean;
  readonly force?: boolean;
  readonly delete?: boolean;
  readonly verify?: boolean;
  readonly stdin?: boolean;
}

/** What sets one kind of password file apart from the other. */
export interface UserCommand {
  readonly file: string;
  readonly options: UserCommandOptions;
  /** How messages call the user. */
  readonly user: string;
  /** Throws PasswordEditError for names that are refused. */
  readonly checkNames: () => void;
  readonly checkPassword: (password: string) => void;
  /** Prepares the change that sets the password; slow work is done before the file is locked. */
  readonly set: (password: string) => Promise<(bytes: Buffer) => EditedFile>;
  readonly remove: (bytes: Buffer) => EditedFile;
  /** Tries a password; nothing when there is no such user. */
  readonly verify: (bytes: Buffer) => ((password: string) => Promise<boolean>) | undefined;
  /** What the person should know about the file as it is now. */
  readonly notice: (bytes: Buffer) => string | undefined;
}

/** Does what the options ask for and returns the exit code; rejects with PasswordEditError. */
export function runUserCommand(io: CommandIo, command: UserCommand): Promise<number> {
  const { create, verify, delete: remove } = command.options;
  if ([create, verify, remove].filter(Boolean).length > 1) {
    throw new PasswordEditError('Of -c, -D and -v only one can be given.');
  }
  command.checkNames();
  if (verify === true) return verifyUser(io, command);
  return remove === true ? removeUser(io, command) : setPassword(io, command);
}

async function setPassword(io: CommandIo, command: UserCommand): Promise<number> {
  const { file, options, user } = command;
  // Looked at before the password is asked for, and again under the lock.
  contentToEdit(file, options, await readFile(file).catch(asNothing));
  const password = await readNewPassword(io, options, command.checkPassword);
  const edit = await command.set(password);
  let said = '';
  await changePasswordFile(file, (bytes) => {
    const edited = edit(contentToEdit(file, options, bytes));
    said = `${edited.replaced > 0 ? 'Changed' : 'Added'} the password of ${user}.\n`;
    const notice = command.notice(edited.bytes);
    if (notice !== undefined) said += `${notice}\n`;
    return edited.bytes;
  });
  io.stdout.write(said);
  return EXIT.done;
}

async function removeUser(io: CommandIo, command: UserCommand): Promise<number> {
  const { file, options, user } = command;
  await changePasswordFile(file, (bytes) => {
    const edited = command.remove(contentToEdit(file, options, bytes));
    if (edited.replaced === 0) throw new PasswordEditError(`There is no ${user} in ${file}.`);
    return edited.bytes;
  });
  io.stdout.write(`Deleted ${user}.\n`);
  return EXIT.done;
}

async function verifyUser(io: CommandIo, command: UserCommand): Promise<number> {
  const { file, options, user } = command;
  const attempt = command.verify(contentToEdit(file, options, await readFile(file).catch(asNothing)));
  if (!attempt) throw new PasswordEditError(`There is no ${user} in ${file}.`);
  if (await attempt(await readPassword(io, options))) {
    io.stdout.write(`The password of ${user} is right.\n`);
    return EXIT.done;
  }
  io.stderr.write(`The password of ${user} is wrong.\n`);
  return EXIT.wrongPassword;
}

function contentToEdit(file: string, options: UserCommandOptions, bytes: Buffer | undefined): Buffer {
  if (options.create === true) {
    if (bytes === undefined || options.force === true) return Buffer.alloc(0);
    throw new PasswordEditError(
      `${file} exists, and -c would begin it anew; leave -c out to keep its users, or add --force.`,
    );
  }
  if (bytes === undefined) throw new PasswordEditError(`There is no file ${file}; create it with -c.`);
  return bytes;
}

function asNothing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}
