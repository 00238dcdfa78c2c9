import { PASSWORD } from '../../../factories/admin/admin';
import { startDatabasePlatform, type DatabasePlatform } from '../../../factories/admin/admin-databases';
import { basic, sendJson } from '../../../factories/http/requests';

const API = '/platform/admin/api/v1';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };

let platform: DatabasePlatform;
beforeEach(async () => (platform = await startDatabasePlatform()));
afterEach(() => platform.stop());

describe('Two creations of one name at the same moment', () => {
  it.each([
    ['selectors', { name: 'Feeds' }, 409],
    ['version-copies', { api_version: 'Shop-v1', to: 2 }, 422],
  ])('in /%s: only the first succeeds', async (collection, body, refused) => {
    const create = async (): Promise<number> =>
      (await platform.request(`${API}/${collection}`, sendJson(body, 'POST', AS_ADA))).status;
    const statuses = await Promise.all([create(), create(), create()]);
    expect(statuses.sort()).toEqual([201, refused, refused]);
  });
});
