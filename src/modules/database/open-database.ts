import { didYouMean, ConfigurationError, type Configuration } from '../../framework';
import { postgresFactory, sqliteFactory } from './adapters/adapter-factories';
import type { DatabaseAdapterContext, DatabaseAdapterFactory } from './adapters/adapter-factory';
import type { DatabaseAdapter } from './adapters/database-adapter';
import { DATABASE_KEY, databaseSettings } from './settings';

const FACTORIES: Readonly<Record<string, DatabaseAdapterFactory>> = {
  SqliteAdapter: sqliteFactory,
  PostgresAdapter: postgresFactory,
};

/**
 * Opens a configured database without an application, for commands. The caller closes it.
 * @throws ConfigurationError without the module, or a database that can be opened
 */
export function openDatabase(
  configuration: Configuration,
  requested: string | undefined,
  { changesData = true }: Pick<DatabaseAdapterContext, 'changesData'> = {},
): { readonly name: string; readonly adapter: DatabaseAdapter } {
  if (!configuration.schemas.has(DATABASE_KEY)) {
    throw new ConfigurationError(
      'The commands of "db" need the module "database"; add it to "modules" in config/application.json.',
    );
  }
  const { adapters } = configuration.section(DATABASE_KEY, databaseSettings);
  const names = Object.keys(adapters);
  const name = requested ?? onlyName(names);
  const settings = adapters[name];
  if (settings === undefined) {
    throw new ConfigurationError(
      `The database adapter "${name}" is not configured.${didYouMean(name, names)} Available: ${names.join(', ') || 'none'}.`,
    );
  }
  const factory = FACTORIES[settings.adapter];
  if (factory === undefined) {
    throw new ConfigurationError(
      `The command supports ${Object.keys(FACTORIES).join(' and ')}; the database "${name}" uses ${settings.adapter}.`,
    );
  }
  configuration.assertAt([DATABASE_KEY, 'adapters', name, 'options'], factory.settings);
  return { name, adapter: factory.open(settings.options, { name, root: configuration.root, changesData }) };
}

/** @throws ConfigurationError unless there is exactly one */
function onlyName(names: readonly string[]): string {
  const [only, ...others] = names;
  if (only === undefined)
    throw new ConfigurationError(`No database is configured. Add one to ${DATABASE_KEY}.adapters.`);
  if (others.length === 0) return only;
  throw new ConfigurationError(`Specify the database: --adapter ${names.join(' or --adapter ')}.`);
}
