import { ContainerModule } from 'inversify';
import { Application } from '../../framework';
import type { BootstrapEvent, ConfigObject, Configuration, Module } from '../../framework';
import type { ApiDefinition } from '../hosting';
import { USER_TABLES } from '../mvc-auth';
import { postgresFactory, sqliteFactory } from './adapters/adapter-factories';
import { DATABASE_KEY, databaseDefaults, databaseSettings } from './settings';
import { Databases } from './adapters/databases';
import { batchApi } from './batch/batch-api';
import { BatchListener } from './batch/batch-listener';
import { DATABASE_INSPECTOR, DatabaseInspector } from './inspection/database-inspector';
import { migratedDatabases } from './migrations/module-migrations';
import { procedureKind, tableKind } from './service-kinds';
import { privilegeWarnings } from './service/declaration/privilege-warnings';
import { DatabaseUsers } from './users/database-users';

export {
  defineTableService,
  type EmbedDefinition,
  type ListEmbedDefinition,
  type SqlFilterDefinition,
  type TableColumn,
  type TableServiceDefinition,
} from './service/declaration/table-definition';
export { readOnlySchemaKey } from './service/declaration/writing/read-only-key';
export { defineProcedureService, type ProcedureServiceDefinition } from './procedure/procedure-definition';
export { TableResource } from './custom/table-resource';
export type { ColumnValues, HookContext, TableHooks } from './custom/table-hooks';
export type {
  BlockingOptions,
  DatabaseAdapter,
  ExecutionLimits,
  ExplainOptions,
  PoolState,
  Rows,
  ScriptOptions,
  SqlExecutor,
  SqlStatement,
} from './adapters/database-adapter';
export type { DatabaseAdapterContext, DatabaseAdapterFactory } from './adapters/adapter-factory';
export type {
  ColumnConstraints,
  ColumnModel,
  DatabaseModel,
  ForeignKeyModel,
  FullTextModel,
  TableModel,
} from './introspection/table-model';
export { parameterNames, type ProposedColumn, type TableProposal } from './inspection/table-proposal';
export { driftOf, type Drift } from './introspection/drift';
export { readSnapshot, snapshotText, writeSnapshot } from './introspection/snapshot';
export { driftRemedy } from './migrations/drift-remedy';
export { Migrations, type Migration } from './migrations/migrations';
export { MIGRATIONS_TABLE } from './migrations/migrations-table';
export {
  applyModuleMigrations,
  moduleMigrations,
  type MigrationScript,
  type ModuleMigrations,
} from './migrations/module-migrations';
export { openDatabase } from './open-database';
export { copySqliteFile } from './adapters/sqlite/copy-file';
export { DATABASE_KEY, databaseSettings } from './settings';
export { DatabaseError } from './adapters/database-error';
export type { StatementMessage } from './adapters/observed/statement-channel';
export type {
  ConnectionTest,
  DatabaseInspector,
  DatabaseSummary,
  InspectedDatabase,
  SnapshotReview,
} from './inspection/database-inspector';

/** The warnings about databases whose tables the services of an application do not know. */
export async function unreadDatabases({ services }: Application): Promise<readonly string[]> {
  return services.has(Databases) ? (await services.get(Databases)).unread : [];
}

/** Services over the tables and views of databases. */
export default class DatabaseModule implements Module {
  readonly name = 'database';
  readonly requires = ['hosting', 'mvc-auth'];
  readonly moduleMembers = ['migrations'];
  readonly defaults: ConfigObject = databaseDefaults;
  readonly schemas = { [DATABASE_KEY]: databaseSettings };
  readonly serviceKinds = [tableKind, procedureKind];
  #application: Application | undefined;

  /** Batches exist as soon as the project, and not only a module, configures a database. */
  readonly apis = (configuration: Configuration): readonly ApiDefinition[] => {
    const { adapters } = configuration.section(DATABASE_KEY, databaseSettings);
    const isConfigured = (name: string): boolean =>
      !configuration.isDefault([DATABASE_KEY, 'adapters', name]);
    return Object.keys(adapters).some(isConfigured) ? [batchApi(() => this.#built())] : [];
  };

  /** Kinds of adapters, and the Kysely instance of each configured database: `@inject('database:shop')`. */
  readonly services = (configuration: Configuration) =>
    new ContainerModule(({ bind }) => {
      bind('SqliteAdapter').toConstantValue(sqliteFactory);
      bind('PostgresAdapter').toConstantValue(postgresFactory);
      bind(USER_TABLES).toResolvedValue(
        (application: Application) => new DatabaseUsers(application),
        [Application],
      );
      for (const name of Object.keys(configuration.section(DATABASE_KEY, databaseSettings).adapters)) {
        const kyselyOf = async (application: Application) =>
          (await Databases.of(application)).kysely(name, `@inject('database:${name}')`);
        bind(`database:${name}`).toResolvedValue(kyselyOf, [Application]);
      }
    });

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    this.#application = application;
    const databases = await Databases.of(application);
    application.services.set(DATABASE_INSPECTOR, new DatabaseInspector(application, databases));
    if (databases.names.length === 0) return;
    await databases.assertConfigured();
    // Those that no table service has used yet.
    for (const name of migratedDatabases(application.modules))
      await databases.model(name, 'The migrations of a module');
    const { servicePrivileges } = databases;
    if (servicePrivileges.length > 0)
      application.warnings.push(...(await privilegeWarnings(servicePrivileges)));
    application.events.attachGroup(new BatchListener((endpoint) => databases.isTableService(endpoint)));
  }

  #built(): Application {
    if (this.#application === undefined) throw new TypeError('The application is not built yet.');
    return this.#application;
  }
}
