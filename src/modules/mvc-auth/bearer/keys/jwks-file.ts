import { errorMessage } from '../../../../framework';
import { PasswordFile, PasswordFileError } from '../../password-files/password-file';
import { AuthConfigurationError, withAdapterName } from '../../http-adapter/auth-configuration-error';
import { KeySet, type KeySource } from './key-source';
import { parseJwks } from './read-jwks';

export interface JwksFileOptions {
  readonly adapter: string;
  /** Absolute. */
  readonly path: string;
  /** `kty` of usable keys. */
  readonly types: readonly string[];
  /** The keys were replaced. */
  readonly changed: () => void;
  readonly warn: (message: string) => void;
}

/**
 * Opens a watched JWK Set. One that becomes unreadable or invalid does not take effect.
 * @throws AuthConfigurationError
 */
export async function openJwksFile({
  adapter,
  path,
  types,
  changed,
  warn,
}: JwksFileOptions): Promise<KeySource> {
  const read = (text: string): KeySet => {
    try {
      return new KeySet(parseJwks(text, types));
    } catch (error) {
      throw new Error(`${path}: ${errorMessage(error)}`, { cause: error });
    }
  };
  try {
    const file = await PasswordFile.open(path, read, {
      changed,
      failed: (reason) => {
        warn(
          withAdapterName(
            adapter,
            `${reason}; the keys of the last valid version stay active. Restore the file.`,
          ),
        );
      },
    });
    return {
      keysFor: (header) => file.current.keysFor(header),
      warnings: [],
      close: () => {
        file.close();
      },
    };
  } catch (error) {
    const reason = errorMessage(error);
    const advice =
      error instanceof PasswordFileError && error.missing
        ? '; save the JWK Set of the issuer there, or set its URL'
        : '';
    throw new AuthConfigurationError(adapter, `jwks: ${reason}${advice}`, { cause: error });
  }
}
