import { Type } from '@sinclair/typebox';
import type { ConfigObject } from '../../framework';

export const DATABASE_KEY = 'platform-db';

const statementTimeout = Type.Optional(
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 3600,
    description: 'Seconds after which a statement is cancelled; defaults to 5.',
  }),
);

const streamTimeout = Type.Optional(
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 3600,
    description: 'Seconds after which a stream ends whose client reads nothing; defaults to 30.',
  }),
);

/** The options of a `SqliteAdapter`. */
export const sqliteSettings = Type.Object(
  {
    file: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The database file, relative to the project root; created if it does not exist. Defaults to "data/<name of the adapter>.sqlite".',
      }),
    ),
    statement_timeout: statementTimeout,
    stream_timeout: streamTimeout,
  },
  { additionalProperties: false },
);

/** The options of a `PostgresAdapter`. */
export const postgresSettings = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      secret: true,
      description: 'The connection URL: postgres://user:password@host:5432/database.',
    }),
    pool: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Maximum number of connections; defaults to 10.',
      }),
    ),
    statement_timeout: statementTimeout,
    stream_timeout: streamTimeout,
  },
  { additionalProperties: false, hint: 'A PostgresAdapter needs "url", such as "${DATABASE_URL}".' },
);

const adapter = Type.Object(
  {
    adapter: Type.String({
      minLength: 1,
      description: 'The kind: "SqliteAdapter", "PostgresAdapter", or the name of a database adapter factory.',
    }),
    options: Type.Object(
      // Contains the password, whatever the kind; its schema is that of the kind.
      {
        url: Type.Optional(
          Type.Unknown({ secret: true, description: 'The connection URL, of kinds that have one.' }),
        ),
      },
      { additionalProperties: Type.Unknown(), description: 'The options of the kind.' },
    ),
  },
  {
    additionalProperties: false,
    hint: 'A database adapter needs "adapter", its kind, and "options".',
    variants: {
      by: 'adapter',
      member: 'options',
      schemas: { SqliteAdapter: sqliteSettings, PostgresAdapter: postgresSettings },
    },
  },
);

/** `platform-db` */
export const databaseSettings = Type.Object(
  {
    adapters: Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]*$' }), adapter, {
      additionalProperties: false,
      description: 'Databases by name, each with the kind of its adapter and its options.',
    }),
  },
  { additionalProperties: false, description: 'Databases.' },
);

export const databaseDefaults: ConfigObject = { [DATABASE_KEY]: { adapters: {} } };
