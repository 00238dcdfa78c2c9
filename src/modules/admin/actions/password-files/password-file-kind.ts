import { objectOf, type ConfigObject, type Configuration } from '../../../../framework';
import { findUnrecognizedLine } from '../../../mvc-auth';
import { HTTP_ADAPTER } from '../adapters/adapter-kinds';

/** The format of a password file: Basic or Digest. */
export type PasswordFileKind = 'htpasswd' | 'htdigest';

/** The use of a password file by an adapter. */
export interface FileUse {
  readonly adapter: string;
  readonly kind: PasswordFileKind;
  readonly realm: string;
  /** As configured. */
  readonly path: string;
}

/** Returns the files that adapters of a kind name in an option, in the order of the configuration. */
export function filesNamed(
  configuration: Configuration,
  kind: string,
  option: string,
): readonly Pick<FileUse, 'adapter' | 'path'>[] {
  return adaptersOf(configuration, kind).flatMap(([adapter, { [option]: path }]) =>
    typeof path === 'string' ? [{ adapter, path }] : [],
  );
}

/** Returns the names and options of the adapters of a kind. */
function adaptersOf(configuration: Configuration, kind: string): readonly [name: string, ConfigObject][] {
  const adapters = configuration.valueAt(['platform-mvc-auth', 'authentication', 'adapters']);
  return Object.entries(objectOf(adapters)).flatMap(([name, value]) => {
    const { adapter, options } = objectOf(value);
    return adapter === kind ? [[name, objectOf(options)]] : [];
  });
}

/** Returns the password files of all adapters in the order of the configuration. */
export function fileUses(configuration: Configuration): readonly FileUse[] {
  return adaptersOf(configuration, HTTP_ADAPTER).flatMap(([adapter, options]) => {
    const realm = typeof options.realm === 'string' ? options.realm : '';
    return (['htpasswd', 'htdigest'] as const).flatMap((kind) => {
      const path = options[kind];
      return typeof path === 'string' ? [{ adapter, kind, realm, path }] : [];
    });
  });
}

/**
 * Detects the format of a password file; undefined for any other text, whose content must not be shown. Every line
 * must match, as plain-text passwords look like any text. An empty file has the expected format, otherwise the one
 * suggested by its name.
 */
export function detectKind(
  path: string,
  text: string,
  expected: PasswordFileKind = path.toLowerCase().includes('digest') ? 'htdigest' : 'htpasswd',
): PasswordFileKind | undefined {
  const kinds = (['htdigest', 'htpasswd'] as const).filter(
    (kind) => findUnrecognizedLine(kind, text) === undefined,
  );
  return kinds.length === 2 ? expected : kinds[0];
}
