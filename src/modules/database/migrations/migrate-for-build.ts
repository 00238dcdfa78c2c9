import { ApplicationHost, type Application } from '../../../framework';
import type { BlockingOptions, DatabaseAdapter } from '../adapters/database-adapter';
import { applyModuleMigrations, moduleMigrations } from './module-migrations';

/**
 * Applies the migrations of modules for an application that is built. A read-only command applies them to a temporary
 * database, and otherwise names them in a warning.
 * @returns that warning if the database lacks them
 * @throws ConfigurationError for a migration that fails
 * @throws DatabaseError if the database cannot be used
 */
export async function migrateForBuild(
  { modules, warnings, sharedState }: Application,
  database: string,
  adapter: DatabaseAdapter,
  options: BlockingOptions,
): Promise<string | undefined> {
  const { changed, pending } = changesDataOf(sharedState)
    ? { changed: await applyModuleMigrations(modules, database, adapter, options), pending: [] }
    : await moduleMigrations(modules, database, adapter);
  for (const migration of changed)
    warnings.push(
      `The migration "${migration}" was changed after it was applied to the database "${database}", which has no effect. Write the change as a new migration; in development, the database can also be deleted.`,
    );
  if (pending.length === 0) return undefined;
  if (adapter.isTemporary !== true) {
    const names = pending.map(({ recordedAs }) => recordedAs).join(', ');
    const warning = `Migrations of modules are pending in the database "${database}" (${adapter.target}): ${names}. The next start or reload applies them, as does apidesc-platform db migrate --adapter ${database}; the services of this database are not checked until then.`;
    warnings.push(warning);
    return warning;
  }
  // In place of a database that the next start creates with them.
  await applyModuleMigrations(modules, database, adapter, options);
  return undefined;
}

/** Whether applications of a host may change the data of the project: all but those of read-only commands. */
export function changesDataOf(sharedState: Application['sharedState']): boolean {
  return sharedState.find(ApplicationHost)?.changesData ?? true;
}
