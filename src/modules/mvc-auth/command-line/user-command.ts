import {
  assertFolder,
  changePasswordFile,
  readPasswordFile,
} from '../password-files/editing/change-password-file';
import type { EditedFile } from '../password-files/editing/edit-password-file';
import { assertFileKind } from '../password-files/editing/file-kind';
import { PasswordEditError } from '../password-files/editing/password-edit-error';
import { EXIT, type CommandIo } from './command-io';
import { confirm, readNewPassword, readPassword } from './password-input';

/** The options of both commands. */
export interface UserCommandOptions {
  readonly create?: boolean;
  readonly force?: boolean;
  readonly delete?: boolean;
  readonly verify?: boolean;
  readonly stdin?: boolean;
}

/** The part of a command that depends on the kind of password file. */
export interface UserCommand {
  readonly file: string;
  readonly kind: 'htpasswd' | 'htdigest';
  readonly options: UserCommandOptions;
  /** The user, for messages. */
  readonly user: string;
  /** @throws PasswordEditError for invalid names */
  readonly checkNames: () => void;
  readonly checkPassword: (password: string) => void;
  /** Prepares the edit, so that slow hashing is done before the file is locked. */
  readonly set: (password: string) => Promise<(bytes: Buffer) => EditedFile>;
  readonly remove: (bytes: Buffer) => EditedFile;
  /** Describes what other users would lose by the edit; undefined for nothing. */
  readonly loss?: (bytes: Buffer, edit: 'set' | 'delete') => string | undefined;
  /** Returns undefined for an unknown user. @throws PasswordEditError for a hash that cannot be verified */
  readonly verify: (bytes: Buffer) => ((password: string) => Promise<boolean>) | undefined;
  /** A remark on the file after the edit. */
  readonly notice: (bytes: Buffer) => string | undefined;
}

/** Runs the command and resolves to the exit code; rejects with PasswordEditError. */
export function runUserCommand(io: CommandIo, command: UserCommand): Promise<number> {
  const { create, verify, delete: remove } = command.options;
  if ([create, verify, remove].filter(Boolean).length > 1) {
    throw new PasswordEditError('Use only one of -c, -D and -v.');
  }
  command.checkNames();
  if (verify === true) return verifyUser(io, command);
  return remove === true ? removeUser(io, command) : setPassword(io, command);
}

async function setPassword(io: CommandIo, command: UserCommand): Promise<number> {
  const { file, options, user } = command;
  // Checked before asking for the password, and again under the lock.
  const present = await readPasswordFile(file);
  if (present === undefined) await assertFolder(file);
  const loss = lossOf(command, contentToEdit(command, present), 'set');
  if (options.force === true && loss !== undefined) io.stderr.write(`Warning: ${loss}\n`);
  const question = options.force === true ? undefined : loss;
  const password = await readNewPassword(io, options, command.checkPassword, question);
  const edit = await command.set(password);
  let output = '';
  const edited = (bytes: Buffer | undefined): Buffer => {
    const content = contentToEdit(command, bytes);
    assertAccepted(command, lossOf(command, content, 'set'), loss);
    const { bytes: after, replaced } = edit(content);
    output = bytes === undefined ? `Created ${file}.\n` : '';
    output += `${replaced > 0 ? 'Changed' : 'Added'} the password of ${user}.\n`;
    const notice = command.notice(after);
    if (notice !== undefined) output += `${notice}\n`;
    return after;
  };
  await changePasswordFile(file, edited, await io.publisherOf?.(file));
  io.stdout.write(output);
  return EXIT.done;
}

async function removeUser(io: CommandIo, command: UserCommand): Promise<number> {
  const { file, options, user } = command;
  const loss = lossOf(command, existing(command, await readPasswordFile(file)), 'delete');
  if (loss !== undefined && options.force !== true) await confirm(io, options, loss);
  const edited = (bytes: Buffer | undefined): Buffer => {
    const content = existing(command, bytes);
    assertAccepted(command, lossOf(command, content, 'delete'), loss);
    const { bytes: after, replaced } = command.remove(content);
    if (replaced === 0) throw new PasswordEditError(`${file} has no ${user}.`);
    return after;
  };
  await changePasswordFile(file, edited, await io.publisherOf?.(file));
  io.stdout.write(`Deleted ${user}.\n`);
  return EXIT.done;
}

async function verifyUser(io: CommandIo, command: UserCommand): Promise<number> {
  const { file, options, user } = command;
  const attempt = command.verify(existing(command, await readPasswordFile(file)));
  if (!attempt) throw new PasswordEditError(`${file} has no ${user}.`);
  if (await attempt(await readPassword(io, options))) {
    io.stdout.write(`The password of ${user} is correct.\n`);
    return EXIT.done;
  }
  io.stderr.write(`The password of ${user} is wrong.\n`);
  return EXIT.wrongPassword;
}

/** A missing file has no users. */
function contentToEdit(command: UserCommand, bytes: Buffer | undefined): Buffer {
  const { file, options } = command;
  if (bytes === undefined) return Buffer.alloc(0);
  if (options.create !== true) return existing(command, bytes);
  if (options.force === true) return Buffer.alloc(0);
  throw new PasswordEditError(
    `${file} exists, and -c would overwrite it; omit -c to keep its users, or add --force.`,
  );
}

function existing({ file, kind }: UserCommand, bytes: Buffer | undefined): Buffer {
  if (bytes === undefined) {
    throw new PasswordEditError(
      `The file ${file} does not exist. Check the path; setting a password creates the file.`,
    );
  }
  assertFileKind(file, bytes, kind);
  return bytes;
}

function lossOf(command: UserCommand, bytes: Buffer, edit: 'set' | 'delete'): string | undefined {
  return command.loss?.(bytes, edit);
}

/** Another process may have changed the file since the confirmation. */
function assertAccepted(
  { options }: UserCommand,
  now: string | undefined,
  accepted: string | undefined,
): void {
  if (now === undefined || now === accepted || options.force === true) return;
  throw new PasswordEditError(
    `The file was changed by another process. ${now} Nothing was changed; run the command again.`,
  );
}
