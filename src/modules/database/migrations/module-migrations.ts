import type { Module } from '../../../framework';
import type { DatabaseAdapter, Dialect } from '../adapters/database-adapter';
import { turnsForeignKeysOff } from './foreign-keys';
import { createMigrationsTable, recordMigration, recordedMigrations } from './migrations-table';

/** A migration that a module contains. */
export interface MigrationScript {
  /** Recorded with the name of the module; never change it. */
  readonly name: string;
  /** Statements, separated by semicolons; a function is called only if they are executed. */
  readonly sql: string | (() => string);
}

/** Migrations of one database, in order, for each kind of database that the module supports. */
export type ModuleMigrations = Readonly<Partial<Record<Dialect, readonly MigrationScript[]>>>;

declare module '../../../framework' {
  interface Module {
    /**
     * Migrations that create and change the tables of the module, by adapter name. They are applied when the
     * application is built, each once, before services read the tables.
     */
    readonly migrations?: Readonly<Record<string, ModuleMigrations>>;
  }
}

/** The names of the databases for which modules have migrations. */
export function migratedDatabases(modules: readonly Module[]): readonly string[] {
  return [...new Set(modules.flatMap(({ migrations = {} }) => Object.keys(migrations)))];
}

/**
 * Applies the pending migrations of modules to a database, all or none. Of several processes that start at once, one
 * applies them.
 * @throws DatabaseError
 */
export async function applyModuleMigrations(
  modules: readonly Module[],
  database: string,
  adapter: DatabaseAdapter,
): Promise<void> {
  const scripts = modules.flatMap(({ name: module, migrations }) =>
    (migrations?.[database]?.[adapter.dialect] ?? []).map(({ name, sql }) => ({
      name: `${module}:${name}`,
      sql,
    })),
  );
  if (scripts.length === 0) return;
  const applied = await recordedMigrations(adapter);
  const pending = scripts.filter(({ name }) => !applied.has(name));
  if (pending.length === 0) return;
  const statements = pending.flatMap(({ name, sql }) => {
    const text = typeof sql === 'string' ? sql : sql();
    return [text, recordMigration(name, text, adapter.dialect)];
  });
  try {
    await adapter.runScripts([createMigrationsTable, ...statements], {
      areForeignKeysOff: adapter.dialect === 'sqlite' && turnsForeignKeysOff(statements),
    });
  } catch (error) {
    const recorded = await recordedMigrations(adapter);
    // Another process applied them meanwhile.
    if (pending.every(({ name }) => recorded.has(name))) return;
    throw error;
  }
}
