import { objectOf, type Configuration, type SchemaNode, type Services } from '../../../framework';
import { BUILT_IN_KINDS, MVC_AUTH_KEY } from '../settings';
import { isAdapterFactory, type AdapterFactory } from './adapter-factory';

/**
 * Masks the options that an adapter kind marks with `secret: true`, wherever the configuration is shown: in the options
 * of every adapter, as revisions have adapters that no longer exist.
 */
export function markSecretOptions(configuration: Configuration, { settings }: AdapterFactory): void {
  mark(configuration, { additionalProperties: { properties: { options: settings } } });
}

/** Masks the secret options of the configured adapters without building an application. */
export async function markConfiguredSecrets(configuration: Configuration, services: Services): Promise<void> {
  const adapters = objectOf(configuration.valueAt([MVC_AUTH_KEY, 'authentication', 'adapters']));
  for (const [name, declared] of Object.entries(adapters)) {
    const { adapter: kind } = objectOf(declared);
    const options = typeof kind === 'string' ? await optionsOf(kind, services) : undefined;
    if (options !== undefined) mark(configuration, { properties: { [name]: { properties: { options } } } });
  }
}

/** @returns undefined for a kind that does not exist */
async function optionsOf(kind: string, services: Services): Promise<SchemaNode | undefined> {
  if (!services.has(kind)) return undefined;
  const builtIn = BUILT_IN_KINDS.get(kind);
  if (builtIn !== undefined) return builtIn;
  const factory: unknown = await services.get(kind).catch(() => undefined);
  // What a factory needs may exist in an application only.
  return isAdapterFactory(factory) ? factory.settings : { additionalProperties: { secret: true } };
}

function mark(configuration: Configuration, adapters: SchemaNode): void {
  const authentication = { properties: { adapters } };
  configuration.markSecrets({
    properties: { [MVC_AUTH_KEY]: { properties: { authentication } } },
  });
}
