import { PasswordFile, PasswordFileError } from '../password-files/password-file';
import { AuthConfigurationError, withAdapterName } from './auth-configuration-error';

export interface OpenFileOptions<Table> {
  readonly adapter: string;
  readonly path: string;
  /** The option that names the file. */
  readonly option: 'htpasswd' | 'htdigest' | 'htgroup';
  /** How to create the file, e.g. `create it with: …`. */
  readonly advice: string;
  readonly read: (text: string, previous?: Table) => Table;
  /** Returns warnings about a table that name the file. */
  readonly describe: (table: Table) => readonly string[];
  readonly changed: (table: Table) => void;
  readonly warn: (message: string) => void;
}

/** Opens a password file for an adapter. @throws AuthConfigurationError */
export async function openPasswordFile<Table>(opening: OpenFileOptions<Table>): Promise<PasswordFile<Table>> {
  const { adapter, path, option, advice, read, describe, changed, warn } = opening;
  const warnOf = (message: string): void => {
    warn(withAdapterName(adapter, message));
  };
  try {
    return await PasswordFile.open(path, read, {
      changed: (table) => {
        changed(table);
        describe(table).forEach(warnOf);
      },
      failed: (reason) => {
        warnOf(
          `${reason}; the ${option === 'htgroup' ? 'groups' : 'users'} of the last valid version of ${path} stay active`,
        );
      },
    });
  } catch (error) {
    if (!(error instanceof PasswordFileError)) throw error;
    const remedy = error.missing
      ? advice
      : 'make it readable for the user that runs the service, or configure another file';
    throw new AuthConfigurationError(adapter, `${option}: ${error.message}; ${remedy}`, { cause: error });
  }
}
