import type { Static } from '@sinclair/typebox';
import path from 'node:path';
import { DATABASE_KEY, postgresSettings, sqliteSettings } from '../settings';
import type { DatabaseAdapterFactory } from './adapter-factory';
import type * as Urls from './postgres/connections/connection-url';
import type * as Postgres from './postgres/postgres-adapter';
import type * as Sqlite from './sqlite/sqlite-adapter';
import type * as Temporary from './sqlite/temporary-adapter';

// A project rarely uses both.
const load = require;

/** Embedded databases, in files of the project. */
export const sqliteFactory: DatabaseAdapterFactory = {
  opens: 'database',
  settings: sqliteSettings,
  open: (options, { name, root, changesData = true }) => {
    // Validated by the settings.
    const { file = path.join('data', `${name}.sqlite`), ...others } = options as Static<
      typeof sqliteSettings
    >;
    const absolute = { ...others, file: path.resolve(root, file) };
    if (!changesData) {
      const { openUnchanged } = load('./sqlite/temporary-adapter') as typeof Temporary;
      return openUnchanged(absolute);
    }
    const { SqliteAdapter } = load('./sqlite/sqlite-adapter') as typeof Sqlite;
    return new SqliteAdapter(absolute);
  },
};

/** PostgreSQL, over a pool of connections. */
export const postgresFactory: DatabaseAdapterFactory = {
  opens: 'database',
  settings: postgresSettings,
  assertValid: (options, { name }) => {
    const { assertUrl } = load('./postgres/connections/connection-url') as typeof Urls;
    const { url } = options as Static<typeof postgresSettings>;
    assertUrl(url, urlKey(name));
  },
  open: (options, { name }) => {
    const { PostgresAdapter } = load('./postgres/postgres-adapter') as typeof Postgres;
    return new PostgresAdapter(options as Static<typeof postgresSettings>, urlKey(name));
  },
};

/** Names the URL of an adapter in errors. */
const urlKey = (name: string): string => `${DATABASE_KEY}.adapters.${name}.options.url`;
