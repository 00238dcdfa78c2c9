import { ContainerModule } from 'inversify';
import type { ConfigObject, Module } from '../../framework';
import { postgresFactory, sqliteFactory } from './adapters/adapter-factories';
import { DATABASE_KEY, databaseDefaults, databaseSettings } from './settings';
import { tableKind } from './service/table-service';

export { defineTableService, type TableServiceDefinition } from './service/table-definition';
export type { DatabaseAdapter, SqlExecutor, SqlStatement } from './adapters/database-adapter';
export type { DatabaseAdapterContext, DatabaseAdapterFactory } from './adapters/adapter-factory';
export type { DatabaseModel } from './introspection/table-model';
export { driftOf, type Drift } from './introspection/drift';
export { readSnapshot, snapshotText, writeSnapshot } from './introspection/snapshot';
export { Migrations, MIGRATIONS_TABLE, type Migration } from './migrations/migrations';
export { openDatabase } from './open-database';
export { DatabaseError } from './adapters/database-error';

/** Services over the tables and views of databases. */
export default class DatabaseModule implements Module {
  readonly name = 'database';
  readonly requires = ['hosting'];
  readonly defaults: ConfigObject = databaseDefaults;
  readonly schemas = { [DATABASE_KEY]: databaseSettings };
  readonly serviceKinds = [tableKind];
  readonly services = new ContainerModule(({ bind }) => {
    bind('SqliteAdapter').toConstantValue(sqliteFactory);
    bind('PostgresAdapter').toConstantValue(postgresFactory);
  });
}
