import path from 'node:path';
import { sqliteSettings } from '../settings';
import type { DatabaseAdapterFactory } from './adapter-factory';
import { SqliteAdapter } from './sqlite/sqlite-adapter';

/** Embedded databases, in files of the project. */
export const sqliteFactory: DatabaseAdapterFactory = {
  settings: sqliteSettings,
  open: (options, { root }) => {
    // Validated by the settings.
    const { file, ...others } = options as { readonly file: string; readonly statement_timeout?: number };
    return new SqliteAdapter({ ...others, file: path.resolve(root, file) });
  },
};
