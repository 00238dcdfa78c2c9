import type { Static } from '@sinclair/typebox';
import path from 'node:path';
import { postgresSettings, sqliteSettings } from '../settings';
import type { DatabaseAdapterFactory } from './adapter-factory';
import { PostgresAdapter } from './postgres/postgres-adapter';
import { SqliteAdapter } from './sqlite/sqlite-adapter';

/** Embedded databases, in files of the project. */
export const sqliteFactory: DatabaseAdapterFactory = {
  settings: sqliteSettings,
  open: (options, { name, root }) => {
    // Validated by the settings.
    const { file = path.join('data', `${name}.sqlite`), ...others } = options as Static<
      typeof sqliteSettings
    >;
    return new SqliteAdapter({ ...others, file: path.resolve(root, file) });
  },
};

/** PostgreSQL, over a pool of connections. */
export const postgresFactory: DatabaseAdapterFactory = {
  settings: postgresSettings,
  open: (options) => new PostgresAdapter(options as Static<typeof postgresSettings>),
};
