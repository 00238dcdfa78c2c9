import { PasswordFile, PasswordFileError } from '../password-files/password-file';
import { AuthConfigurationError, inTheNameOf } from './auth-configuration-error';

/** What opening a password file for an adapter needs. */
export interface FileOpening<Table> {
  readonly adapter: string;
  readonly path: string;
  /** The option that names the file. */
  readonly option: 'htpasswd' | 'htdigest' | 'htgroup';
  /** How to create the file, e.g. `create it with: …`. */
  readonly advice: string;
  readonly read: (text: string, previous?: Table) => Table;
  /** What is to be said about a table, with the name of the file. */
  readonly describe: (table: Table) => readonly string[];
  readonly changed: (table: Table) => void;
  readonly warn: (message: string) => void;
}

/** Opens a password file in the name of an adapter; throws {@link AuthConfigurationError}. */
export async function openPasswordFile<Table>(opening: FileOpening<Table>): Promise<PasswordFile<Table>> {
  const { adapter, path, option, advice, read, describe, changed, warn } = opening;
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
        say(
          `${reason}; the ${option === 'htgroup' ? 'groups' : 'users'} of the last good version of ${path} stay in force`,
        );
      },
    });
  } catch (error) {
    if (!(error instanceof PasswordFileError)) throw error;
    const remedy = error.missing ? advice : 'let the user of the service read it, or name another file';
    throw new AuthConfigurationError(adapter, `${option}: ${error.message}; ${remedy}`, { cause: error });
  }
}
