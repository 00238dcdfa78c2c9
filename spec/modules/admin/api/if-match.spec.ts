import { LocalConfiguration, type ConfigValue } from '../../../../src/framework';
import { applyChange } from '../../../../src/modules/admin/api/resources/api-context';
import { ConfigurationChanges } from '../../../../src/modules/admin/changes/configuration-changes';
import type { AdminServices } from '../../../../src/modules/admin/services';
import { testContext } from '../../../../src/testing';
import { PASSWORD } from '../../../factories/admin';
import { startDatabasePlatform, type DatabasePlatform } from '../../../factories/admin-databases';
import { basic, sendJson } from '../../../factories/requests';

const API = '/platform/admin/api/v1';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };
const DESCRIPTION = ['platform-hosting', 'apis', 'Shop', 'description'];

let platform: DatabasePlatform;
beforeEach(async () => (platform = await startDatabasePlatform()));
afterEach(() => platform.stop());

describe('If-Match in the admin API', () => {
  it('is compared with what another request has changed since this one was checked', async () => {
    const changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
    const describe = (value: ConfigValue, tag: string): Promise<unknown> =>
      applyChange(
        testContext({ identity: 'ada', method: 'PUT', headers: { 'If-Match': `"${tag}"` } }),
        { changes } as AdminServices,
        () =>
          Promise.resolve({
            summary: 'Described it.',
            subject: DESCRIPTION,
            edits: [{ path: DESCRIPTION, value }],
          }),
      );
    const seen = changes.tagOf(DESCRIPTION);
    await describe('One.', seen);
    await expect(describe('Two.', seen)).rejects.toMatchObject({ status: 412 });
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
