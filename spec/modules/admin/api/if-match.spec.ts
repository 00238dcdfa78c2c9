import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { editText, LOCAL_FILE, LocalConfiguration, type ConfigValue } from '../../../../src/framework';
import { applyChange } from '../../../../src/modules/admin/api/resources/api-context';
import { ConfigurationChanges } from '../../../../src/modules/admin/changes/configuration-changes';
import type { AdminServices } from '../../../../src/modules/admin/services';
import { testContext } from '../../../../src/testing';
import { PASSWORD } from '../../../factories/admin/admin';
import { startDatabasePlatform, type DatabasePlatform } from '../../../factories/admin/admin-databases';
import { basic, sendJson } from '../../../factories/http/requests';
import { reusedPlatform } from '../../../factories/reused-platform';

const API = '/platform/admin/api/v1';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };
const DESCRIPTION = ['platform-hosting', 'apis', 'Shop', 'description'];

const { platform } = reusedPlatform(startDatabasePlatform);

const changesOf = ({ host, root }: DatabasePlatform): ConfigurationChanges =>
  new ConfigurationChanges(host, new LocalConfiguration(root));

function describeShop(changes: ConfigurationChanges, value: ConfigValue, tag: string): Promise<unknown> {
  return applyChange(
    testContext({ identity: 'ada', method: 'PUT', headers: { 'If-Match': `"${tag}"` } }),
    { changes } as AdminServices,
    () =>
      Promise.resolve({
        summary: 'Described it.',
        subject: DESCRIPTION,
        edits: [{ path: DESCRIPTION, value }],
      }),
  );
}

describe('If-Match in the admin API', () => {
  it('is compared with what another request has changed since this one was checked', async () => {
    const changes = changesOf(platform);
    const seen = changes.tagOf(DESCRIPTION);
    await describeShop(changes, 'One.', seen);
    await expect(describeShop(changes, 'Two.', seen)).rejects.toMatchObject({ status: 412 });
    expect(changes.configuration.valueAt(DESCRIPTION)).toBe('One.');
  });

  it('is compared with a file that is not loaded yet, and says to reload it', async () => {
    const changes = changesOf(platform);
    const file = path.join(platform.root, LOCAL_FILE);
    writeFileSync(file, editText(readFileSync(file, 'utf8'), [{ path: DESCRIPTION, value: 'By hand.' }]));
    await expect(describeShop(changes, 'One.', changes.tagOf(DESCRIPTION))).rejects.toMatchObject({
      status: 412,
      detail: expect.stringContaining('Reload the configuration') as string,
    });
    await platform.host.reload();
    await describeShop(changes, 'One.', changes.tagOf(DESCRIPTION));
    expect(changes.configuration.valueAt(DESCRIPTION)).toBe('One.');
  });

  it('is compared by procedures, too', async () => {
    const shown = await platform.request(`${API}/api-versions/Shop-v1`, { headers: AS_ADA });
    const tag = shown.headers.get('etag') ?? '';
    const copy = async (to: number, match: string): Promise<number> => {
      const headers = { ...AS_ADA, 'If-Match': match };
      const body = sendJson({ api_version: 'Shop-v1', to }, 'POST', headers);
      return (await platform.request(`${API}/version-copies`, body)).status;
    };
    expect([await copy(2, `"seen-long-ago", ${tag}`), await copy(3, tag), await copy(3, '*')]).toEqual([
      201, 412, 201,
    ]);
  });
});
