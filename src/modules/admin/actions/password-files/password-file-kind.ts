import { isTree, type Configuration } from '../../../../framework';
import { digestRealms, readPasswordTable } from '../../../mvc-auth';

/** Whose lines a password file has: those of Basic, or those of Digest. */
export type PasswordFileKind = 'htpasswd' | 'htdigest';

/** An adapter that names a password file. */
export interface FileUse {
  readonly adapter: string;
  readonly kind: PasswordFileKind;
  readonly realm: string;
  /** As it is written. */
  readonly path: string;
}

/** The password files that adapters name, in the order of the configuration. */
export function fileUses(configuration: Configuration): readonly FileUse[] {
  const adapters = configuration.valueAt(['platform-mvc-auth', 'authentication', 'adapters']);
  return Object.entries(isTree(adapters) ? adapters : {}).flatMap(([adapter, value]) => {
    const options = isTree(value) && isTree(value.options) ? value.options : {};
    const realm = typeof options.realm === 'string' ? options.realm : '';
    return (['htpasswd', 'htdigest'] as const).flatMap((kind) => {
      const path = options[kind];
      return typeof path === 'string' ? [{ adapter, kind, realm, path }] : [];
    });
  });
}

/**
 * Which kind of password file a text is; undefined for another text, whose lines are not to be shown or changed.
 * Of one without a line, who asks decides, or its name.
 */
export function kindOfText(
  path: string,
  text: string,
  meant: PasswordFileKind = path.toLowerCase().includes('digest') ? 'htdigest' : 'htpasswd',
): PasswordFileKind | undefined {
  if (digestRealms(text).length > 0) return 'htdigest';
  const { users, problems } = readPasswordTable(text);
  if (users.size > 0) return 'htpasswd';
  return problems.length > 0 ? undefined : meant;
}
