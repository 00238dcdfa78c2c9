import type { Configuration } from '../../../framework';
import { MVC_AUTH_KEY } from '../settings';
import type { AdapterFactory } from './adapter-factory';

/**
 * Masks the options that an adapter kind marks with `secret: true`, wherever the configuration is shown: in the options
 * of every adapter, as revisions have adapters that no longer exist.
 */
export function markSecretOptions(configuration: Configuration, { settings }: AdapterFactory): void {
  const ofAdapter = { properties: { options: settings } };
  const authentication = { properties: { adapters: { additionalProperties: ofAdapter } } };
  configuration.markSecrets({
    properties: { [MVC_AUTH_KEY]: { properties: { authentication } } },
  });
}
