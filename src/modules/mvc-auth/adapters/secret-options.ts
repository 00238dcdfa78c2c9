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

/**
 * Masks the secret options of the configured adapters without building an application. Of a kind that is not a constant,
 * it masks all options: creating its factory may connect to other systems.
 * @param bind binds the services of all modules; called only for adapters of modules
 */
export async function markConfiguredSecrets(
  configuration: Configuration,
  bind: () => Promise<Services>,
): Promise<void> {
  const adapters = objectOf(configuration.valueAt([MVC_AUTH_KEY, 'authentication', 'adapters']));
  const kinds = Object.entries(adapters).flatMap(([name, declared]) => {
    const { adapter: kind } = objectOf(declared);
    return typeof kind === 'string' ? [{ name, kind }] : [];
  });
  const areBuiltIn = kinds.every(({ kind }) => BUILT_IN_KINDS.has(kind));
  // A start reports what fails here, and the configuration to be shown may be its cause.
  const services = areBuiltIn ? undefined : await bind().catch(() => undefined);
  for (const { name, kind } of kinds) {
    const options = BUILT_IN_KINDS.get(kind) ?? optionsOf(kind, services);
    if (options !== undefined) mark(configuration, { properties: { [name]: { properties: { options } } } });
  }
}

/** @returns undefined for a kind that does not exist */
function optionsOf(kind: string, services: Services | undefined): SchemaNode | undefined {
  if (services?.has(kind) === false) return undefined;
  const factory = services?.constantOf(kind);
  return isAdapterFactory(factory) ? factory.settings : { additionalProperties: { secret: true } };
}

function mark(configuration: Configuration, adapters: SchemaNode): void {
  const authentication = { properties: { adapters } };
  configuration.markSecrets({
    properties: { [MVC_AUTH_KEY]: { properties: { authentication } } },
  });
}
