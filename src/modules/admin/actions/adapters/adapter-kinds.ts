import type { TSchema } from '@sinclair/typebox';
import type { Application, KeyPath } from '../../../../framework';
import { isAdapterFactory, markSecretOptions, type AdapterFactory } from '../../../mvc-auth';

/** The built-in kind: Basic and Digest with password files. */
export const HTTP_ADAPTER = 'HttpAdapter';

/** The configured adapters. */
export const ADAPTERS_PATH: KeyPath = ['platform-mvc-auth', 'authentication', 'adapters'];

/** A kind of adapter contributed by a module. */
export interface AdapterKind {
  /** Its name in the configuration. */
  readonly name: string;
  /** The JSON Schema of its options. */
  readonly schema: TSchema;
  readonly factory: AdapterFactory;
}

const kindsOf = new WeakMap<Application, Promise<readonly AdapterKind[]>>();

/** Returns the kinds of adapters of an application, the built-in one first. Their secrets are masked from now on. */
export function adapterKinds(application: Application): Promise<readonly AdapterKind[]> {
  const kinds = kindsOf.get(application) ?? findAdapterKinds(application);
  kindsOf.set(application, kinds);
  return kinds;
}

/**
 * Returns whether the value at a path must not be shown. It knows the secrets of all kinds of adapters: other states of
 * the configuration have kinds that the running one does not use.
 */
export async function secretsOf(application: Application): Promise<(path: KeyPath) => boolean> {
  await adapterKinds(application);
  return (path) => application.configuration.isSecret(path);
}

async function findAdapterKinds({ services, configuration }: Application): Promise<readonly AdapterKind[]> {
  const kinds: AdapterKind[] = [];
  for (const name of services.names) {
    // Its consumers report a service that cannot be created.
    const service: unknown = await services.get(name).catch(() => undefined);
    if (!isAdapterFactory(service)) continue;
    markSecretOptions(configuration, service);
    kinds.push({ name, schema: service.settings, factory: service });
  }
  return kinds.sort((a, b) => Number(b.name === HTTP_ADAPTER) - Number(a.name === HTTP_ADAPTER));
}
