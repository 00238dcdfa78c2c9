import { defineApi, defineRpcService, Response, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

const shared = new Response(200, 'hi', [['Content-Type', 'text/plain']]);

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'House',
      cors: { origins: ['https://a.example', 'https://b.example'] },
      versions: {
        1: {
          deprecated: '2020-01-01',
          services: {
            Door: defineRpcService({
              route: '/door',
              methods: {
                GET: { handler: () => shared },
                PUT: { handler: () => shared, cache_control: 'public, max-age=60' },
                POST: {
                  handler: ({ cookies }) => {
                    cookies.set('key', '1');
                    return Promise.resolve(shared);
                  },
                },
              },
            }),
          },
        },
      },
    }),
  ],
};

describe('A Response that a handler returns for every request', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ modules: HOSTING, extra: [house] });
  });
  afterAll(() => platform.stop());

  it('has the fields of one request', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'GET']) {
      const { status, headers } = await platform.request('/door', { method });
      expect([status, headers.get('deprecation')]).toEqual([200, '@1577836800']);
      expect(headers.get('set-cookie')?.split(';')[0]).toBe(method === 'POST' ? 'key=1' : undefined);
    }
    expect(shared.fields.toList()).toEqual(['Content-Type', 'text/plain']);
  });

  it('allows the origin of its own request only', async () => {
    const originOf = async (headers: Record<string, string>): Promise<string | null> =>
      (await platform.request('/door', { headers })).headers.get('access-control-allow-origin');
    expect(await originOf({ Origin: 'https://a.example' })).toBe('https://a.example');
    expect(await originOf({ Origin: 'https://b.example' })).toBe('https://b.example');
    expect(await originOf({ Origin: 'https://c.example' })).toBeNull();
    expect(await originOf({})).toBeNull();
  });
});
