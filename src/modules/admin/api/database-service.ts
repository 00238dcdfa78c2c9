import { Type, type Static } from '@sinclair/typebox';
import {
  defineProcedure,
  defineRestService,
  defineRpcService,
  type HandlerContext,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import type { DatabaseTable, DatabaseView } from '../actions/databases/database-actions';
import type { AdminServices } from '../services';
import { AdminResource } from './resources/admin-resource';
import { actorOf } from './resources/api-context';

const name = Type.String({ description: 'The name of the database.', examples: ['shop'] });
const drift = Type.Object({
  severity: Type.Union([Type.Literal('breaking'), Type.Literal('note')], {
    description: '"breaking": services that use it respond with 503.',
  }),
  message: Type.String(),
});
const fields = Type.Object({
  name,
  adapter: Type.String({ description: 'The kind of its adapter.', examples: ['SqliteAdapter'] }),
  target: Type.Union([Type.String(), Type.Null()], {
    description: 'Where it connects to, without credentials; null if it cannot be opened.',
  }),
  available: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether its last use succeeded; null before the first.',
  }),
  options: Type.Record(Type.String(), Type.Unknown(), { description: 'Secrets are masked.', secret: false }),
  services: Type.Integer({ description: 'The number of services over its tables.' }),
  snapshot: Type.Optional(Type.Boolean({ description: 'Whether it has a snapshot.' })),
  problem: Type.Optional(Type.String({ description: 'Why its tables could not be read.' })),
  drift: Type.Optional(Type.Array(drift, { description: 'How it differs from its snapshot.' })),
});

type Database = Static<typeof fields>;

/** Defines the REST service of the databases. */
export function databaseService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'The configured databases (`platform-db.adapters`).',
    route: '/databases[/:database_name]',
    route_identifier_name: 'database_name',
    entity_identifier_name: 'name',
    parameters: { database_name: name },
    fields,
    collection: { GET: { description: 'Lists the databases, without using them.' } },
    entity: { GET: { description: 'Compares a database with its snapshot.' } },
    resource: new DatabaseResource(admin),
  });
}

class DatabaseResource extends AdminResource<Database> implements RestResource<Database> {
  async fetchAll(): Promise<readonly Database[]> {
    return (await this.admin.databases.list()).map(toDatabase);
  }

  async fetch(database: string): Promise<Database> {
    const details = await this.admin.databases.get(database);
    return {
      ...toDatabase(details),
      snapshot: details.hasSnapshot,
      ...(details.readProblem === undefined ? {} : { problem: details.readProblem }),
      drift: details.drift.map(({ severity, message }) => ({ severity, message })),
    };
  }
}

function toDatabase({ name: own, adapter, target, isAvailable, options, services }: DatabaseView): Database {
  return { name: own, adapter, target: target ?? null, available: isAvailable ?? null, options, services };
}

const names = Type.Array(Type.String());
const tableName = Type.String({ description: 'The name of the table or view.', examples: ['products'] });
const table = Type.Object({
  name: tableName,
  kind: Type.Union([Type.Literal('table'), Type.Literal('view')]),
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String({ description: 'The type as declared.' }),
      nullable: Type.Boolean(),
    }),
  ),
  primary_key: names,
  unique: Type.Array(names),
  indexes: Type.Array(names),
  foreign_keys: Type.Array(Type.Object({ columns: names, table: Type.String(), references: names })),
  usable: Type.Boolean({ description: 'Whether services can be built over it.' }),
  services: Type.Array(Type.Object({ api: Type.String(), version: Type.Integer(), service: Type.String() })),
});

type Table = Static<typeof table>;

/** Defines the REST service of the tables of a database. */
export function databaseTableService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'The tables and views of a database, and the services over them.',
    route: '/databases/:database_name/tables[/:table_name]',
    route_identifier_name: 'table_name',
    entity_identifier_name: 'name',
    parameters: { database_name: name, table_name: tableName },
    fields: table,
    page_size: 100,
    max_page_size: 1000,
    collection: { GET: { description: 'Lists the tables and views.' } },
    entity: { GET: { description: 'Shows a table or view.' } },
    resource: new TableResource(admin),
  });
}

class TableResource extends AdminResource<Table> implements RestResource<Table> {
  async fetchAll({ parameters }: HandlerContext): Promise<readonly Table[]> {
    const { tables } = await this.admin.databases.get(parameters.database_name ?? '');
    return tables.map(toTable);
  }

  async fetch(one: string, { parameters }: HandlerContext): Promise<Table> {
    return toTable(await this.admin.databases.table(parameters.database_name ?? '', one));
  }
}

function toTable({ model, uses, isUsable }: DatabaseTable): Table {
  return {
    name: model.name,
    kind: model.kind,
    columns: Object.entries(model.columns).map(([column, { declared, isNullable }]) => ({
      name: column,
      type: declared,
      nullable: isNullable,
    })),
    primary_key: [...model.primaryKey],
    unique: model.unique.map((one) => [...one]),
    indexes: model.indexes.map((one) => [...one]),
    foreign_keys: model.foreignKeys.map((key) => ({
      columns: [...key.columns],
      table: key.table,
      references: [...key.references],
    })),
    usable: isUsable,
    services: uses.map(({ api, version, service }) => ({ api, version, service })),
  };
}

/** Defines the procedure that tests the connection of a database. */
export function connectionTestService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Tests the connection of a database.',
    route: '/connection-test',
    methods: {
      POST: defineProcedure({
        description: 'Executes a statement that reads nothing, within 5 seconds.',
        fields: Type.Object({ database: name }, { additionalProperties: false }),
        response: Type.Object({
          connected: Type.Boolean(),
          milliseconds: Type.Integer(),
          problem: Type.Union([Type.String(), Type.Null()]),
        }),
        status_codes: [{ code: 404, message: 'Not Found' }],
        handler: async ({ body }) => {
          const { isConnected, milliseconds, problem = null } = await admin().databases.test(body.database);
          return { connected: isConnected, milliseconds, problem };
        },
      }),
    },
  });
}

/** Defines the procedure that updates the snapshot of a database. */
export function snapshotService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description:
      'Writes the snapshot of a database (`config/db/<name>.json`), from which its services are built.',
    route: '/snapshots',
    methods: {
      POST: defineProcedure({
        description: 'Reads the tables, writes the snapshot, and reloads the configuration.',
        fields: Type.Object({ database: name }, { additionalProperties: false }),
        response: Type.Object({
          file: Type.String(),
          changed: Type.Boolean({ description: 'Whether the tables differed from the snapshot.' }),
          drift: Type.Array(drift, { description: 'How they differed.' }),
          new_tables: names,
        }),
        status_codes: [
          { code: 404, message: 'Not Found' },
          { code: 503, message: 'Service Unavailable' },
        ],
        handler: async (context) => {
          const { databases } = admin();
          const review = await databases.updateSnapshot(context.body.database, actorOf(context));
          return {
            file: review.file,
            changed: !review.isSame,
            drift: review.drift.map(({ severity, message }) => ({ severity, message })),
            new_tables: [...review.newTables],
          };
        },
      }),
    },
  });
}
