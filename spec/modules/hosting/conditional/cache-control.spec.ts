import {
  AuthenticatedIdentity,
  defineApi,
  defineProcedure,
  defineRpcService,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { GalleryModule } from '../../../fixtures/gallery-module';

describe('the Cache-Control of an operation', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [new GalleryModule()] })));
  afterAll(() => platform.stop());

  it.each([
    ['/gallery/pictures', 'public, max-age=60'],
    ['/gallery/pictures/1', 'no-cache'],
    ['/clock', 'no-store'],
  ])('is sent with the response to %s', async (path, value) => {
    const answer = await platform.request(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, value]);
    expect((await platform.request(path, { method: 'HEAD' })).headers.get('cache-control')).toBe(value);
  });

  it.each(['/gallery/pictures/99', '/gallery/pictures?page=99', '/gallery/pictures?page=x'])(
    'is not sent with the problem response to %s',
    async (path) => {
      const answer = await platform.request(path);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers.get('cache-control')).toBeNull();
    },
  );

  it.each(['', 'public max-age', 'a,,b', 'x\r\nSet-Cookie: a=b'])('cannot be %j', async (value) => {
    const service = defineRpcService({
      route: '/x',
      methods: { GET: defineProcedure({ cache_control: value, handler: () => 1 }) },
    });
    const apis = [defineApi({ name: 'Wrong', versions: { 1: { services: { One: service } } } })];
    const starting = startTestPlatform({
      modules: HOSTING,
      extra: [{ name: 'wrong', requires: ['hosting'], apis }],
    });
    await expect(starting).rejects.toThrow('Wrong-v1/One GET: cache_control is');
  });
});

describe('the Cache-Control of a response to a user', () => {
  const values = {
    shared: 'public, max-age=60',
    proxies: 's-maxage=600, Max-Age=0',
    stale: 'max-age=60, must-revalidate, stale-if-error=60',
    fields: 'Public, private="set-cookie, x", max-age=60',
    own: 'private, max-age=60, must-revalidate',
    none: 'no-store, must-revalidate',
    plain: 'max-age=60',
    unrelated: 'private="x", max-age=9, no-cache="public"',
  };
  const serviceOf = (name: string, value: string, authorization: 'guest' | 'authenticated') =>
    defineRpcService({
      route: `/${name}`,
      methods: {
        GET: defineProcedure({
          cache_control: value,
          authorization,
          handler: () => 1,
        }),
      },
    });
  let platform: TestPlatform;
  beforeAll(async () => {
    const services = {
      ...Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, serviceOf(name, value, 'guest')]),
      ),
      users: serviceOf('users', values.shared, 'authenticated'),
    };
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [
        {
          name: 'cached',
          requires: ['hosting'],
          apis: [defineApi({ name: 'Cached', versions: { 1: { services } } })],
          onBootstrap: ({ application }) => {
            application.events.attach(
              'authentication',
              ({ request }) =>
                request.header('authorization') === undefined ? undefined : new AuthenticatedIdentity('ann'),
              10,
            );
          },
        },
      ],
    });
  });
  afterAll(() => platform.stop());

  const cacheControlOf = async (path: string, headers: HeadersInit): Promise<string | null> => {
    const answer = await platform.request(path, { headers });
    expect(answer.status).toBe(200);
    return answer.headers.get('cache-control');
  };

  it.each([
    ['shared', 'private, max-age=60'],
    ['proxies', 'private, Max-Age=0'],
    ['stale', 'private, max-age=60, must-revalidate, stale-if-error=60'],
    ['fields', 'private, max-age=60'],
    ['own', values.own],
    ['none', values.none],
    ['plain', 'private, max-age=60'],
    ['unrelated', 'private, max-age=9, no-cache="public"'],
  ] as const)('keeps it from shared caches: %s', async (name, expected) => {
    expect(await cacheControlOf(`/${name}`, { authorization: 'Basic YTpi' })).toBe(expected);
    expect(await cacheControlOf(`/${name}`, {})).toBe(values[name]);
  });

  it('keeps it from shared caches for an operation of users', async () => {
    expect(await cacheControlOf('/users', { authorization: 'Basic YTpi' })).toBe('private, max-age=60');
  });
});
