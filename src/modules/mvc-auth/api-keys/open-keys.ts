import path from 'node:path';
import { systemErrorCode } from '../../../framework';
import { AuthConfigurationError, withAdapterName } from '../http-adapter/auth-configuration-error';
import { PasswordFile, PasswordFileError } from '../password-files/password-file';
import { KeyFileError, readKeyTable, type KeyTable } from './key-table';

/** Issues that are reported of a file, at most. */
const MAX_ISSUES = 10;

/** Milliseconds between two checks for unknown keys, so that a flood of them costs next to nothing. */
const RECHECK_MS = 100;

/** A watched key file. */
export interface OpenKeys {
  readonly current: KeyTable;
  readonly warnings: readonly string[];
  /** Reads the file again at once. */
  refresh(): Promise<void>;
  /** Reads the file if it has changed, for an unknown key, which may be new. Undefined if that was done just before. */
  recheck(): Promise<void> | undefined;
  close(): void;
}

/**
 * Opens a key file and watches it. A changed file without keys takes effect; one that is missing, unreadable or damaged
 * does not.
 *
 * @param file as configured
 * @throws AuthConfigurationError for a file that is missing, unreadable or damaged now
 */
export async function openKeys(
  adapter: string,
  file: string,
  { root, warn }: { readonly root: string; readonly warn: (message: string) => void },
): Promise<OpenKeys> {
  const absolute = path.resolve(root, file);
  const warnOf = (message: string): void => warn(withAdapterName(adapter, message));
  let isInvalid = false;
  let nextCheck = 0;
  const read = (text: string): KeyTable => {
    try {
      return readKeyTable(text);
    } catch (error) {
      if (!(error instanceof KeyFileError)) throw error;
      throw new KeyFileError(`the file ${absolute} ${error.message}`, { cause: error });
    }
  };
  try {
    const opened = await PasswordFile.open<KeyTable>(absolute, read, {
      changed: (table) => {
        describeKeys(absolute, table).forEach(warnOf);
        if (isInvalid) warnOf(`${absolute} is valid again and has been loaded`);
        isInvalid = false;
      },
      failed: (reason) => {
        isInvalid = true;
        warnOf(`${reason}; the keys of the last valid version stay active. Restore the file.`);
      },
    });
    return {
      get current() {
        return opened.current;
      },
      warnings: describeKeys(absolute, opened.current).map((warning) => withAdapterName(adapter, warning)),
      refresh: () => opened.refresh(),
      recheck: () => {
        const now = performance.now();
        if (now < nextCheck) return undefined;
        nextCheck = now + RECHECK_MS;
        return opened.refreshIfChanged();
      },
      close: () => opened.close(),
    };
  } catch (error) {
    if (error instanceof KeyFileError)
      throw new AuthConfigurationError(adapter, `keys: ${error.message}; repair it, or restore a backup`, {
        cause: error,
      });
    if (!(error instanceof PasswordFileError)) throw error;
    throw new AuthConfigurationError(adapter, `keys: ${error.message}; ${adviceFor(error, file)}`, {
      cause: error,
    });
  }
}

function describeKeys(file: string, { keys, issues }: KeyTable): readonly string[] {
  const more = issues.length - MAX_ISSUES;
  return [
    ...issues.slice(0, MAX_ISSUES).map((issue) => `${file}: ${issue}`),
    ...(more > 0 ? [`${file} has ${more} more such entries`] : []),
    ...(keys.size === 0 ? [`${file} has no key: nobody can sign in`] : []),
  ];
}

function adviceFor({ missing, cause }: PasswordFileError, file: string): string {
  if (missing) return `create it with: npx apidesc-platform key create ${file} --owner NAME`;
  return systemErrorCode(cause) === 'EISDIR'
    ? 'configure the path of a file'
    : 'make it readable for the user that runs the service, or configure another file';
}
