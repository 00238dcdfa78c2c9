import { PasswordFile, PasswordFileError } from '../password-files/password-file';
import { AuthConfigurationError, inTheNameOf } from './auth-configuration-error';

/** What opening a password file for an adapter needs. */
export interface FileOpening<Table> {
  readonly adapter: string;
  readonly path: string;
  /** The command that creates the file. */
  readonly command: string;
  readonly read: (text: string, previous?: Table) => Table;
  /** What is to be said about a table, with the name of the file. */
  readonly describe: (table: Table) => readonly string[];
  readonly changed: (table: Table) => void;
  readonly warn: (message: string) => void;
}

/** Opens a password file in the name of an adapter; throws {@link AuthConfigurationError}. */
export async function openPasswordFile<Table>(opening: FileOpening<Table>): Promise<PasswordFile<Table>> {
  const { adapter, path, command, read, describe, changed, warn } = opening;
  const say = (message: string): void => {
    warn(inTheNameOf(adapter, message));
  };
  try {
    return await PasswordFile.open(path, read, {
      changed: (table) => {
        changed(table);
        describe(table).forEach(say);
      },
      failed: (reason) => {
        say(`${reason}; the users of the last good version of ${path} stay in force`);
      },
    });
  } catch (error) {
    if (!(error instanceof PasswordFileError)) throw error;
    const advice = error.missing
      ? `create it with: ${command}`
      : 'let the user of the service read it, or name another file';
    throw new AuthConfigurationError(adapter, `${error.message}; ${advice}`, { cause: error });
  }
}
