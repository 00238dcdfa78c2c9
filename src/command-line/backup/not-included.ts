import path from 'node:path';
import type { Configuration } from '../../framework';
import { DATABASE_KEY, databaseSettings } from '../../modules/database';
import { BACKUP_FOLDERS, type BackupManifest } from './manifest';

/** Returns the configured databases that are not below the folders of a backup, with the command that saves each. */
export function databasesNotIncluded(configuration: Configuration): BackupManifest['not_included'] {
  if (!configuration.schemas.has(DATABASE_KEY)) return [];
  const { adapters } = configuration.section(DATABASE_KEY, databaseSettings);
  return Object.entries(adapters).flatMap(([name, { adapter, options }]) => {
    if (adapter === 'PostgresAdapter') return [{ database: name, command: dumpCommand(name, options) }];
    const { file } = options as { readonly file?: unknown };
    if (adapter !== 'SqliteAdapter' || typeof file !== 'string' || isIncluded(configuration.root, file))
      return [];
    return [{ database: name, command: `sqlite3 '${file}' ".backup '${name}.sqlite'"` }];
  });
}

function isIncluded(root: string, file: string): boolean {
  const [folder] = path.relative(root, path.resolve(root, file)).split(path.sep);
  return BACKUP_FOLDERS.some((one) => one === folder);
}

/** Without the password: pg_dump asks for it, or reads PGPASSWORD or ~/.pgpass. */
function dumpCommand(name: string, options: unknown): string {
  const { url } = options as { readonly url?: unknown };
  return `pg_dump --format=custom --file='${name}.dump' ${connection(typeof url === 'string' ? url : '')}`.trim();
}

function connection(text: string): string {
  try {
    const url = new URL(text);
    url.password = '';
    url.search = '';
    return `'${url.href}'`;
  } catch {
    return '';
  }
}
