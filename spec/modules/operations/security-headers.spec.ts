import {
  defineApi,
  defineProcedure,
  defineRpcService,
  type ConfigObject,
  type Module,
} from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { HOSTING, startRefusal } from '../../factories/processes/start-refusal';
import { authenticatedBy, PEOPLE } from '../../fixtures/people';
import { ShopModule } from '../../fixtures/shop/shop-module';

const fields = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** A handler that allows framing. */
const framed: Module = {
  name: 'framed',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Framed',
      versions: {
        1: {
          services: {
            Page: defineRpcService({
              route: '/framed',
              methods: {
                GET: defineProcedure({
                  handler: ({ event }) => {
                    event.response.fields.set('x-frame-options', 'SAMEORIGIN');
                    return null;
                  },
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

const configured = (security_headers: ConfigObject): ConfigObject => ({
  'platform-operations': { access_log: { enabled: false }, security_headers },
});

describe('security headers', () => {
  const modules = [...HOSTING, 'operations'];
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      modules,
      extra: [new ShopModule(), framed],
      local: authenticatedBy('basic'),
      files: PEOPLE,
    });
  });
  afterAll(() => platform.stop());

  it.each<[number, string, RequestInit]>([
    [200, '/v1/shop/echo', {}],
    [204, '/v1/shop/echo', { method: 'OPTIONS' }],
    [404, '/nowhere', {}],
    [405, '/v1/shop/echo', { method: 'DELETE' }],
    [401, '/v1/shop/echo', { headers: { Authorization: 'Basic nonsense' } }],
    [406, '/v1/shop/echo', { headers: { Accept: 'image/png' } }],
    [409, '/v1/shop/trouble?kind=problem', {}],
    [500, '/v1/shop/trouble?kind=error', {}],
    [500, '/v1/shop/trouble?kind=unserializable', {}],
  ])('are sent with a %d of %s', async (status, path, init) => {
    const answer = await platform.request(path, init);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject(fields);
  });

  it('do not replace the fields of a handler', async () => {
    const answer = await platform.request('/framed');
    expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('can be changed, added and removed by configuration', async () => {
    const other = await startTestPlatform({
      modules,
      extra: [framed],
      local: configured({
        'X-Frame-Options': null,
        'Referrer-Policy': 'same-origin',
        'Strict-Transport-Security': 'max-age=31536000',
      }),
    });
    try {
      const { headers } = await other.request('/nowhere');
      expect(headers.get('x-frame-options')).toBeNull();
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    } finally {
      await other.stop();
    }
  });

  it.each<[string, ConfigObject, string]>([
    ['an invalid field name', { 'X Frame': 'DENY' }, 'X Frame: is not an allowed name.'],
    ['an empty name', { '': 'DENY' }, ': is not an allowed name.'],
    [
      'a line break in a value',
      { 'X-Frame-Options': 'DENY\r\nSet-Cookie: a=b' },
      'X-Frame-Options: is "DENY\\r\\nSet-Cookie: a=b"; it must match',
    ],
  ])('are rejected at startup with %s', async (_, headers, expected) => {
    const message = await startRefusal({ modules, local: configured(headers) });
    expect(message).toMatch(/^config\/autoload\/local\.json:\d+:\d+: platform-operations\./);
    expect(message).toContain(`platform-operations.security_headers.${expected}`);
  });
});
