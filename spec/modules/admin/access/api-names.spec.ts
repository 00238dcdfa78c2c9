import { defineApi, defineProcedure, defineRpcService } from '../../../../src/modules/hosting';
import type { Module } from '../../../../src/platform';
import { ADMIN } from '../../../factories/admin/admin';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { HostileProvider } from '../../../factories/sign-in/hostile-provider';

const NAMES = ['admin', 'openid'];

const apis: Module = {
  name: 'apis',
  requires: ['hosting'],
  apis: ['other', ...NAMES].map((name) => {
    const methods = { GET: defineProcedure({ handler: () => ({ done: true }) }) };
    return defineApi({
      name,
      versions: { 1: { services: { Tool: defineRpcService({ route: `/${name}/tool`, methods }) } } },
    });
  }),
};

let provider: HostileProvider;
let platform: TestPlatform;

beforeAll(async () => {
  provider = await HostileProvider.start();
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'openid', 'admin'],
    extra: [apis],
    local: {
      'platform-admin': { allow: ['192.0.2.0/24'] },
      'platform-openid': { issuer: provider.issuer, client_id: 'platform', documentation: true },
    },
  });
});
afterAll(async () => {
  await platform.stop();
  await provider.stop();
});

it.each(NAMES)('an API named %s has none of the restrictions and header fields of pages', async (name) => {
  const answerOf = async (path: string, init: RequestInit): Promise<unknown> => {
    const { status, headers } = await platform.request(path, init);
    const own = ['date', 'x-request-id', 'content-length', 'link'];
    return [status, [...headers].filter(([field]) => !own.includes(field))];
  };
  for (const init of [{}, { method: 'DELETE' }, { headers: { Accept: 'text/html' } }])
    expect(await answerOf(`/${name}/tool`, init)).toEqual(await answerOf('/other/tool', init));
  expect((await platform.request(`/${name}/tool`)).status).toBe(200);
});

it('the pages keep theirs', async () => {
  expect((await platform.request(`${ADMIN}/adapters`)).status).toBe(403);
  const { headers } = await platform.request('/platform/sign-in/signed-out');
  expect(headers.get('x-robots-tag')).toBe('noindex');
});
