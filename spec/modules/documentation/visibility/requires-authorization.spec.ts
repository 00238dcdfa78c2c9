import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import {
  operationsOfJson,
  operationsOfOpenApi,
  type DocumentedOperation,
} from '../../../factories/documents/documented-operations';
import { sendJson } from '../../../factories/http/requests';
import { authentication, CLUB_ADAPTERS, CLUB_FILES, ClubModule } from '../../../fixtures/club-module';
import type { ConfigObject } from '../../../../src/platform';

/** Returns whether the server rejects a guest at the documented operation. */
async function refusesGuests(
  platform: TestPlatform,
  { method, path }: DocumentedOperation,
): Promise<boolean> {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  const { status } = await platform.request(path, hasBody ? sendJson({}, method) : { method });
  expect(status).not.toBe(405);
  return status === 401 || status === 403;
}

const guarded = (authorization: ConfigObject): ConfigObject =>
  authentication(CLUB_ADAPTERS, { '*': 'digest' }, authorization);

const settings: readonly (readonly [string, ConfigObject])[] = [
  ['the sample configuration', sampleAuthentication],
  ['no adapter at all', {}],
  ['one adapter for everything', guarded({})],
  [
    'rules that close what authors left open',
    guarded({ Atlas: { Country: { entity: { GET: ['ada'] } }, Distance: { GET: 'authenticated' } } }),
  ],
  [
    'rules that open what authors closed',
    guarded({ Club: { Members: { GET: 'guest' }, Board: { GET: 'guest' } } }),
  ],
  [
    'rules for one of the versions',
    guarded({ 'Atlas-v1': { Country: { collection: { GET: 'authenticated' } } } }),
  ],
  ['everything closed that has no rule', guarded({ deny_by_default: true })],
];

describe.each(settings)('with %s', (_name, local) => {
  let platform: TestPlatform;
  beforeAll(
    async () => (platform = await startTestPlatform({ extra: [new ClubModule()], files: CLUB_FILES, local })),
  );
  afterAll(() => platform.stop());

  const apis = ['Atlas-v1', 'Atlas-v2', 'Club-v1', 'Club-v2', 'Annex-v1'];

  it.each(apis)('the JSON of %s marks the operations that reject guests', async (api) => {
    const documented = await operationsOfJson(platform, api);
    const real = await Promise.all(
      documented.map(async (one) => ({ ...one, closedToGuests: await refusesGuests(platform, one) })),
    );
    expect(documented.length).toBeGreaterThan(0);
    expect(documented).toEqual(real);
  });

  it.each(apis)('the OpenAPI document of %s marks the same operations', async (api) => {
    const key = (one: DocumentedOperation): string =>
      `${one.method} ${one.path}: ${String(one.closedToGuests)}`;
    const json = await operationsOfJson(platform, api);
    const openApi = await operationsOfOpenApi(platform, api);
    expect(openApi.map(key).sort()).toEqual(json.map(key).sort());
  });
});
