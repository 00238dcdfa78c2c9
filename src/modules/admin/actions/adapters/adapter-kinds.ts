import type { TSchema } from '@sinclair/typebox';
import type { Application } from '../../../../framework';
import { isAdapterFactory, type AdapterFactory } from '../../../mvc-auth';

/** The kind that the platform brings: Basic and Digest over password files. */
export const HTTP_ADAPTER = 'HttpAdapter';

/** A kind of adapters, as a module contributes it. */
export interface AdapterKind {
  /** What configuration calls it. */
  readonly name: string;
  /** The JSON Schema of its options. */
  readonly schema: TSchema;
  readonly factory: AdapterFactory;
}

const known = new WeakMap<Application, Promise<readonly AdapterKind[]>>();

/** The kinds of adapters that an application has; the platform's own first. */
export function adapterKinds(application: Application): Promise<readonly AdapterKind[]> {
  const found = known.get(application) ?? findKinds(application);
  known.set(application, found);
  return found;
}

async function findKinds({ services }: Application): Promise<readonly AdapterKind[]> {
  const kinds: AdapterKind[] = [];
  for (const name of services.names) {
    // A service that cannot be made is for who needs it to say.
    const service: unknown = await services.get(name).catch(() => undefined);
    if (isAdapterFactory(service)) kinds.push({ name, schema: service.settings, factory: service });
  }
  return kinds.sort((a, b) => Number(b.name === HTTP_ADAPTER) - Number(a.name === HTTP_ADAPTER));
}
