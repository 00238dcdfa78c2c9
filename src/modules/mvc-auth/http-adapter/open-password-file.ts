import { PasswordFile, PasswordFileError } from '../password-files/password-file';
import { systemErrorCode } from '../../../framework';
import type { LineIssue } from '../password-files/lines';
import { AuthConfigurationError, withAdapterName } from './auth-configuration-error';

/** What all kinds of password files have in common. */
interface FileTable {
  readonly isDamaged: boolean;
  readonly issues: readonly LineIssue[];
}

/** The lines of each kind of file. */
const LINES = { htpasswd: 'user:hash', htdigest: 'user:realm:hash', htgroup: 'group: user user …' } as const;

export interface OpenFileOptions<Table extends FileTable> {
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

/**
 * Opens a password file for an adapter. A changed file without users takes effect; one that is missing, unreadable or
 * damaged does not.
 *
 * @throws AuthConfigurationError
 */
export async function openPasswordFile<Table extends FileTable>(
  opening: OpenFileOptions<Table>,
): Promise<PasswordFile<Table>> {
  const { adapter, path, option, advice, describe, changed, warn } = opening;
  let isInvalid = false;
  const warnOf = (message: string): void => {
    warn(withAdapterName(adapter, message));
  };
  try {
    const file = await PasswordFile.open<Table>(
      path,
      (text, previous) => readTable(opening, text, previous),
      {
        changed: (table) => {
          changed(table);
          describe(table).forEach(warnOf);
          const wasInvalid = isInvalid;
          isInvalid = table.issues.length > 0;
          if (wasInvalid && !isInvalid) warnOf(`${path} is valid again and has been loaded`);
        },
        failed: (reason) => {
          isInvalid = true;
          warnOf(
            `${reason}; the ${option === 'htgroup' ? 'groups' : 'users'} of the last valid version stay active. Restore the file.`,
          );
        },
      },
    );
    isInvalid = file.current.issues.length > 0;
    return file;
  } catch (error) {
    if (!(error instanceof PasswordFileError)) throw error;
    const remedy = error.missing ? advice : adviceFor(error);
    throw new AuthConfigurationError(adapter, `${option}: ${error.message}; ${remedy}`, { cause: error });
  }
}

function adviceFor({ cause }: PasswordFileError): string {
  return systemErrorCode(cause) === 'EISDIR'
    ? 'configure the path of a file'
    : 'make it readable for the user that runs the service, or configure another file';
}

/** @throws Error for a changed file without any valid line */
function readTable<Table extends FileTable>(
  { path, option, read }: OpenFileOptions<Table>,
  text: string,
  previous: Table | undefined,
): Table {
  const table = read(text, previous);
  if (previous === undefined || !table.isDamaged) return table;
  throw new Error(`the file ${path} has no valid line (${LINES[option]})`);
}
