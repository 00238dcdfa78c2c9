import { ConfigurationError, type Module } from '../../../framework';
import type { BlockingOptions, DatabaseAdapter, Dialect } from '../adapters/database-adapter';
import type { DatabaseErrorKind } from '../adapters/database-error';
import { ScriptError } from '../adapters/script-error';
import { turnsForeignKeysOff } from './foreign-keys';
import { describeCommit, describeFailure, MigrationFile, type FileStatement } from './migration-file';
import { createMigrationsTable, isChecksumOf, recordedMigrations } from './migrations-table';

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
     * Migrations that create and change the tables of the module, by adapter name. They are applied by `db migrate`, or the
     * next start or reload, each once, before services read the tables; read-only commands name the pending ones.
     */
    readonly migrations?: Readonly<Record<string, ModuleMigrations>>;
  }
}

/** The names of the databases for which modules have migrations. */
export function migratedDatabases(modules: readonly Module[]): readonly string[] {
  return [...new Set(modules.flatMap(({ migrations = {} }) => Object.keys(migrations)))];
}

/** Failures that end by themselves, or that whoever runs the service can correct: the services wait for the database. */
const TEMPORARY: readonly DatabaseErrorKind[] = ['unavailable', 'unwritable', 'timeout', 'conflict'];

/**
 * Applies the pending migrations of modules to a database, all or none. Of several processes that start at once, one
 * applies them.
 * @returns the names of those that were changed after they were applied
 * @throws ConfigurationError for a migration that fails
 * @throws DatabaseError if the database cannot be used
 */
export async function applyModuleMigrations(
  modules: readonly Module[],
  database: string,
  adapter: DatabaseAdapter,
  { mayBlock = false }: BlockingOptions = {},
): Promise<readonly string[]> {
  const { dialect } = adapter;
  const { changed, pending } = await moduleMigrations(modules, database, adapter);
  const statements = pending.flatMap(({ module, name, sql, recordedAs }) =>
    new MigrationFile(
      `module ${module}, migration ${name}`,
      recordedAs,
      typeof sql === 'string' ? sql : sql(),
    ).scripts(dialect),
  );
  if (statements.length > 0) {
    const names = pending.map(({ recordedAs }) => recordedAs);
    await run(adapter, names, statements, mayBlock);
  }
  return changed;
}

interface ModuleMigration extends MigrationScript {
  readonly module: string;
  readonly recordedAs: string;
}

/**
 * Compares the migrations of modules with those that a database has recorded.
 * @returns the recorded names of those that were changed after they were applied, and those that it lacks
 * @throws DatabaseError if the database cannot be used
 */
export async function moduleMigrations(
  modules: readonly Module[],
  database: string,
  adapter: DatabaseAdapter,
): Promise<{ readonly changed: readonly string[]; readonly pending: readonly ModuleMigration[] }> {
  const { dialect } = adapter;
  const all = modules.flatMap(({ name: module, migrations }) =>
    (migrations?.[database]?.[dialect] ?? []).map(({ name, sql }) => ({
      module,
      name,
      sql,
      recordedAs: `${module}:${name}`,
    })),
  );
  if (all.length === 0) return { changed: [], pending: [] };
  const applied = await recordedMigrations(adapter);
  const changed = all.filter(({ recordedAs, sql }) => {
    const recorded = applied.get(recordedAs);
    return recorded !== undefined && typeof sql === 'string' && !isChecksumOf(recorded, sql);
  });
  return {
    changed: changed.map(({ recordedAs }) => recordedAs),
    pending: all.filter(({ recordedAs }) => !applied.has(recordedAs)),
  };
}

async function run(
  adapter: DatabaseAdapter,
  names: readonly string[],
  statements: readonly FileStatement[],
  mayBlock: boolean,
): Promise<void> {
  const texts = statements.map(({ text }) => text);
  try {
    await adapter.runScripts([createMigrationsTable, ...texts], {
      areForeignKeysOff: adapter.dialect === 'sqlite' && turnsForeignKeysOff(statements),
      mayBlock,
    });
  } catch (error) {
    const recorded = await recordedMigrations(adapter);
    // Another process applied them meanwhile.
    if (names.every((name) => recorded.has(name))) return;
    if (!(error instanceof ScriptError) || TEMPORARY.includes(error.kind)) throw error;
    const failed = statements[error.script - 1];
    const files = [...new Set(statements.map(({ file }) => file))];
    const description = failed === undefined ? describeCommit(error, files) : describeFailure(error, failed);
    throw new ConfigurationError(description, { cause: error });
  }
}
