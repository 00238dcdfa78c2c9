import type { Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { authentication, CLUB_ADAPTERS, CLUB_FILES } from '../../../fixtures/club-module';

const desk = (route: string, authorization: string) => ({
  kind: 'rpc',
  route,
  methods: { OPTIONS: { authorization, handler: () => 'open' } },
});

const apiOf = (name: string): never =>
  ({
    name,
    versions: {
      1: {
        services: {
          Closed: desk(`/${name.toLowerCase()}/closed`, 'authenticated'),
          Open: desk(`/${name.toLowerCase()}/open`, 'guest'),
        },
      },
    },
  }) as never;

const house: Module = { name: 'house', requires: ['hosting'], apis: [apiOf('House'), apiOf('Shed')] };

describe('a procedure with the method OPTIONS', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [house],
      files: CLUB_FILES,
      local: authentication(CLUB_ADAPTERS, { House: 'basic' }),
    });
  });
  afterAll(() => platform.stop());

  it('is called by everyone', async () => {
    const answer = await platform.request('/house/open', { method: 'OPTIONS' });
    expect([answer.status, await answer.json()]).toEqual([200, 'open']);
  });

  it.each([
    ['House', 401],
    ['Shed', 403],
  ])(
    'is reported at the start if it requires a user, as nobody is authenticated: %s',
    async (api, status) => {
      const { warnings } = platform.application;
      expect(warnings.filter((one) => one.startsWith(`${api}-v1/`))).toEqual([
        `${api}-v1/Closed OPTIONS requires a user, but requests with this method are not authenticated: set its authorization to "guest", or it responds ${status} to everyone.`,
      ]);
      const answer = await platform.request(`/${api.toLowerCase()}/closed`, { method: 'OPTIONS' });
      expect(answer.status).toBe(status);
    },
  );
});
