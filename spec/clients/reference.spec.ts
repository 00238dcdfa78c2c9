import { chromiumClient } from './chromium';
import type { Client } from './client';
import { curlClient } from './command-line/curl';
import { npmClients } from './npm-clients';
import { pythonClients } from './python-clients';
import { referenceRows, rowOf } from './reference';
import { wget } from './command-line/wget';
import { withPrograms } from '../factories/processes/programs';

const notStarted = (): never => {
  throw new Error('Only the version is available.');
};

const systemClients: readonly Client[] = [
  curlClient,
  wget,
  ...pythonClients(notStarted),
  chromiumClient(notStarted),
];
const pinned = npmClients(notStarted);

/** Whether a version equals the other or is later. */
function isAtLeast(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) >= 0;
}

describe('the client reference', () => {
  it('lists every tested client, and no other', () => {
    const names = [...systemClients, ...pinned].map(({ name }) => name);
    expect(referenceRows().map(({ client }) => client)).toEqual(names);
  });

  const { it: onThisMachine } = withPrograms('curl', 'wget', 'python3-requests', 'python3-httpx', 'chromium');
  onThisMachine.each(systemClients)(
    'was written with a version of $name that is no later than the one here',
    async (client) => {
      const installed = await client.version();
      expect(installed).toMatch(/^\d+\.\d/);
      expect(isAtLeast(installed, rowOf(client.name).version)).toBe(true);
    },
  );

  it.each(pinned)('was written for the pinned version of $name', async (client) => {
    expect(rowOf(client.name).version).toBe(await client.version());
  });
});
