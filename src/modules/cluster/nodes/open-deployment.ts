import type { ApplicationHost, Configuration } from '../../../framework';
import { openStore } from '../store/open-store';
import { hashOf } from '../store/stored-revision';
import { DeploymentConfiguration } from './deployment-configuration';
import { readContent } from './revision-files';
import { assertFormat } from './start-node';

/** The configuration of a deployment for a command. */
export interface OpenDeployment {
  /** Undefined if the store is empty: the first node that starts gives it the files as they are then. */
  readonly deployment: DeploymentConfiguration | undefined;
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
): Promise<OpenDeployment> {
  const store = openStore(configuration);
  if (store === undefined) return { deployment: undefined, close: () => Promise.resolve() };
  const close = (): Promise<void> => store.close();
  try {
    const head = await store.head();
    assertFormat(head);
    if (head === undefined) return { deployment: undefined, close };
    const deployment = new DeploymentConfiguration({ root: host.root, store, node: undefined });
    await update(deployment);
    host.share(deployment);
    return { deployment, close };
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
