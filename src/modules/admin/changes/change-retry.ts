import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationChanged, type ApplicationHost } from '../../../framework';

/** How long a change is tried again while other nodes change the configuration, in milliseconds. */
const RETRIED_MS = 20_000;
const PAUSE_MS = 100;

/**
 * Tries a change again on the current revision if another node has changed the configuration meanwhile. If the client has
 * seen another one, the current revision is activated only: what is shown to the client then has the change of the other node.
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
      const { shared } = host;
      const isLate = performance.now() >= end;
      if (shared === undefined || isLate || !(error instanceof ConfigurationChanged)) throw error;
      if (expect !== undefined) {
        await shared.follow().catch(() => undefined);
        throw error;
      }
      await delay(PAUSE_MS);
      await shared.follow();
    }
  }
}
