import { ContainerModule, Type, type AdapterFactory, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { authentication, CLUB_FILES, ClubModule } from '../../../fixtures/club-module';

const factory: AdapterFactory = {
  settings: Type.Object({}),
  open: (name) =>
    Promise.resolve({
      adapter: {
        name,
        schemes: ['Basic'],
        warnings: [],
        takes: () => true,
        authenticate: () => new Promise<never>(() => undefined),
        challenges: () => ['Basic realm="Endless"'],
        dispose: () => undefined,
      },
      description: { name, realm: 'Endless', schemes: ['Basic'] },
    }),
};

const endless: Module = {
  name: 'endless',
  requires: ['mvc-auth'],
  services: new ContainerModule(({ bind }) => {
    bind('EndlessAdapter').toConstantValue(factory);
  }),
};

describe('a sign-in that no adapter decides', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [new ClubModule(), endless],
      files: CLUB_FILES,
      local: authentication({ endless: { adapter: 'EndlessAdapter', options: {} } }, { Club: ['endless'] }),
    });
  });
  afterAll(() => platform.stop());

  it('is 503 after a minute', async () => {
    const original = globalThis.setTimeout;
    const delays: unknown[] = [];
    const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, delay: number) => {
      delays.push(delay);
      return original(act, delay === 60_000 ? 10 : delay);
    }) as typeof setTimeout);
    try {
      const headers = { Authorization: basic('ada', 'x') };
      const response = await platform.request('/club/members', { headers });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(delays).toContain(60_000);
    } finally {
      spy.mockRestore();
    }
  });
});
