import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationChanged, type ApplicationHost } from '../../../framework';

/** How long a change is tried again while other nodes change the configuration, in milliseconds. */
const RETRIED_MS = 20_000;
const PAUSE_MS = 100;

/**
 * Tries a change again on the current revision if another node has changed the configuration meanwhile, unless the
 * client has seen another one.
 * @param host only with its `shared` configuration can other nodes change it
 * @param expect the tag of the file that the client has seen; with it, the change is tried once
 * @throws the error of the last attempt
 */
export async function retryOnCurrentRevision<T>(
  host: Pick<ApplicationHost, 'shared'>,
  expect: string | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + RETRIED_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isRetried = expect === undefined && host.shared !== undefined && performance.now() < end;
      if (!isRetried || !(error instanceof ConfigurationChanged)) throw error;
      await delay(PAUSE_MS);
      await host.shared.follow();
    }
  }
}
