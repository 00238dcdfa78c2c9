import type { ApplicationHost, Configuration } from '../../../framework';
import type { ConfigurationStore } from '../store/configuration-store';
import { assertFormat } from '../store/store-format';
import { openStore } from '../store/open-store';
import { hashOf } from '../store/stored-revision';
import { DeploymentConfiguration } from './deployment-configuration';
import { readContent } from './revision-files';

/** The configuration of a deployment for a command. */
export interface OpenDeployment {
  /** Undefined if the store is empty: the first node that starts gives it the files as they are then. */
  readonly deployment: DeploymentConfiguration | undefined;
  readonly store: ConfigurationStore;
  readonly close: () => Promise<void>;
}

/**
 * Opens the configuration of a deployment for a command, which changes it as a node does. Files of an earlier revision are
 * replaced by the current ones; edited ones stay.
 *
 * @throws ConfigurationUnavailable if the store cannot be reached
 * @throws ConfigurationError for a store of another format
 */
export async function openDeployment(
  host: ApplicationHost,
  configuration: Configuration,
  { isReading = false }: { readonly isReading?: boolean } = {},
): Promise<OpenDeployment> {
  const store = openStore(configuration);
  if (store === undefined) throw new TypeError('The configuration is kept in files.');
  const close = (): Promise<void> => store.close();
  try {
    const head = await store.head();
    if (head === undefined) return { deployment: undefined, store, close };
    if (!isReading) assertFormat(head);
    const deployment = new DeploymentConfiguration({ root: host.root, store, node: undefined });
    if (!isReading) await update(deployment);
    host.share(deployment);
    return { deployment, store, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function update(deployment: DeploymentConfiguration): Promise<void> {
  const { store, documents } = deployment;
  const history = await store.history();
  const { content } = await readContent(store, await deployment.current());
  for (const [name, bytes] of content) {
    const own = await documents.hashOf(name);
    const isEarlier = own === undefined || history.some((one) => one.documents[name] === own);
    if (isEarlier && own !== hashOf(bytes)) await documents.write(name, bytes);
  }
}
