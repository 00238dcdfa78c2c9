import { didYouMean, ConfigurationError, type Application } from '../../../framework';
import { DATABASE_KEY, databaseSettings } from '../settings';
import { isDatabaseAdapterFactory, type DatabaseAdapterFactory } from './adapter-factory';

/** A database as it is configured, with the factory that opens it. */
export interface ConfiguredDatabase {
  readonly kind: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly factory: DatabaseAdapterFactory;
}

/**
 * Returns a configured database without opening it.
 * @param where what uses it, for messages
 * @throws ConfigurationError for an unknown name or kind, or invalid options
 */
export async function configuredDatabase(
  { configuration, services }: Application,
  name: string,
  where: string,
): Promise<ConfiguredDatabase> {
  const { adapters } = configuration.section(DATABASE_KEY, databaseSettings);
  const settings = adapters[name];
  if (settings === undefined) {
    const names = Object.keys(adapters);
    throw new ConfigurationError(
      `${where}: the database adapter "${name}" is not configured.${didYouMean(name, names)} Available: ${names.join(', ') || 'none'}. Add it to ${DATABASE_KEY}.adapters.`,
    );
  }
  const { adapter: kind, options } = settings;
  const path = [DATABASE_KEY, 'adapters', name];
  const at = `${configuration.sourceOf([...path, 'adapter'])}: ${path.join('.')}.adapter`;
  const factory = await services.getNamed(kind, isDatabaseAdapterFactory, 'a database adapter factory', at);
  configuration.assertAt([...path, 'options'], factory.settings);
  return { kind, options, factory };
}
