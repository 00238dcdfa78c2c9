import * as fc from 'fast-check';
import {
  FORWARDING_FIELDS,
  resolveForwarding,
  type ForwardedRequest,
  type ForwardingField,
} from '../../../../src/framework/http/proxies/forwarding';
import { compileTrust } from '../../../../src/framework/http/proxies/trust';

const EXTENSIONS: readonly ForwardingField[] = FORWARDING_FIELDS.filter((name) => name !== 'forwarded');
const PROXY = '10.0.0.1';
const CLIENT = '192.0.2.7';

type Lines = Partial<Record<ForwardingField, string | readonly string[]>>;

/** Resolves a request as received with `server.trust_proxy: ["10.0.0.0/8"]`. */
function resolve(
  lines: Lines,
  {
    peer = PROXY,
    isEncrypted = false,
    fields = EXTENSIONS,
    publicScheme = undefined as 'https' | undefined,
    trusted = ['10.0.0.0/8'] as readonly string[] | number,
  } = {},
): ForwardedRequest {
  const trust = compileTrust(trusted);
  if (trust === undefined) throw new TypeError('No proxy is trusted.');
  return resolveForwarding(
    { peer, isEncrypted, lines: (name) => [lines[name] ?? []].flat() },
    { trust, fields: new Set(fields), publicScheme },
  );
}

const forwarded = { fields: ['forwarded'] as const };

describe('The request that a client sent, by X-Forwarded fields', () => {
  it('is described by the entries of the outermost trusted proxy', () => {
    const lines: Lines = {
      'x-forwarded-for': ['6.6.6.6, 192.0.2.7', '10.0.0.2'],
      'x-forwarded-proto': 'http, https, http',
      'x-forwarded-host': 'evil.example, api.example, 10.0.0.1:8080',
      'x-forwarded-prefix': '/evil, /gateway/, /inner',
    };
    expect(resolve(lines)).toEqual({
      address: CLIENT,
      isAddressUnknown: false,
      scheme: 'https',
      host: 'api.example',
      prefix: '/gateway',
    });
  });

  it('is described by single values, which the outermost of two proxies sets and the inner one passes on', () => {
    const lines: Lines = {
      'x-forwarded-for': '192.0.2.7, 10.0.0.2',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.example',
    };
    expect(resolve(lines)).toMatchObject({ address: CLIENT, scheme: 'https', host: 'api.example' });
  });

  it('is of the outermost proxy if all addresses are those of proxies', () => {
    expect(resolve({ 'x-forwarded-for': '10.0.0.3, 10.0.0.2, ' })).toMatchObject({
      address: '10.0.0.3',
      isAddressUnknown: false,
    });
  });

  it('is not described by fields that are not configured', () => {
    const lines: Lines = {
      'x-forwarded-for': CLIENT,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-prefix': '/evil',
      forwarded: 'for=6.6.6.6;host=evil.example;proto=https',
    };
    expect(resolve(lines, { fields: ['x-forwarded-for'] })).toEqual({
      address: CLIENT,
      isAddressUnknown: false,
      scheme: 'http',
      host: undefined,
      prefix: '',
    });
  });

  it.each<Lines>([
    { 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'a b', 'x-forwarded-prefix': 'gateway' },
    {
      'x-forwarded-proto': '',
      'x-forwarded-host': 'evil.example/path',
      'x-forwarded-prefix': '//evil.example',
    },
    { 'x-forwarded-host': 'user@evil.example', 'x-forwarded-prefix': '/a/../b' },
    { 'x-forwarded-host': 'evil.example\\', 'x-forwarded-prefix': '/a?b' },
    { 'x-forwarded-host': '<script>', 'x-forwarded-prefix': '/<script>' },
  ])('is not described by malformed values: %j', (lines) => {
    expect(resolve({ 'x-forwarded-for': CLIENT, ...lines })).toEqual({
      address: CLIENT,
      isAddressUnknown: false,
      scheme: 'http',
      host: undefined,
      prefix: '',
    });
  });

  it('has the scheme of the public URL if the proxy names none', () => {
    expect(resolve({ 'x-forwarded-for': CLIENT }, { publicScheme: 'https' }).scheme).toBe('https');
    expect(
      resolve({ 'x-forwarded-for': CLIENT, 'x-forwarded-proto': 'http' }, { publicScheme: 'https' }).scheme,
    ).toBe('http');
    expect(resolve({}, { peer: CLIENT, publicScheme: 'https' }).scheme).toBe('http');
    for (const peer of [PROXY, CLIENT]) expect(resolve({}, { peer, isEncrypted: true }).scheme).toBe('https');
    expect(resolve({ 'x-forwarded-proto': 'https' }).scheme).toBe('https');
  });
});

describe('The request that a client sent, by Forwarded', () => {
  it('is described by the element of the outermost trusted proxy', () => {
    const line =
      'for=6.6.6.6;host=evil.example, For="192.0.2.7:4711";Proto=HTTPS;host="api.example:8443";by=_x, for=10.0.0.2;proto=http;host=inner';
    expect(resolve({ forwarded: line }, forwarded)).toEqual({
      address: CLIENT,
      isAddressUnknown: false,
      scheme: 'https',
      host: 'api.example:8443',
      prefix: '',
    });
  });

  it.each(['unknown', '_hidden', '"_hidden:_port"', 'localhost'])(
    'has no known address for for=%s',
    (node) => {
      expect(resolve({ forwarded: `for=${node};proto=https` }, forwarded)).toMatchObject({
        address: PROXY,
        isAddressUnknown: true,
        scheme: 'https',
      });
    },
  );

  it('is described by the line of the proxy after a malformed line of the client', () => {
    expect(resolve({ forwarded: ['for="', 'for=192.0.2.7'] }, forwarded).address).toBe(CLIENT);
  });

  it('is unknown if the proxy continued a malformed line of the client', () => {
    for (const start of ['for="', 'for=6.6.6.6;x="', ';', 'for=6.6.6.6;for=6.6.6.6'])
      expect(resolve({ forwarded: `${start}, for=192.0.2.7;host="api.example"` }, forwarded)).toMatchObject({
        address: PROXY,
        isAddressUnknown: true,
        host: undefined,
      });
  });

  it('is unknown if the proxy sets other fields only', () => {
    const lines: Lines = { 'x-forwarded-for': CLIENT, 'x-forwarded-host': 'api.example' };
    expect(resolve(lines, forwarded)).toMatchObject({
      address: PROXY,
      isAddressUnknown: true,
      host: undefined,
    });
  });
});

/** Values that would be noticed if they were believed. */
const spoofed = fc.record(
  {
    forwarded: fc.constantFrom(
      'for=6.6.6.6;host=evil.example;proto=https',
      'for="6.6.6.6"',
      'for="',
      'for=10.0.0.9;host=evil.example',
      'for=10.0.0.9, for=10.0.0.8',
    ),
    'x-forwarded-for': fc.constantFrom(
      '6.6.6.6',
      '127.0.0.1',
      '10.0.0.9',
      '6.6.6.6, 10.0.0.9',
      '10.0.0.9, 6.6.6.6',
    ),
    'x-forwarded-proto': fc.constantFrom('https', 'https, https', 'https,'),
    'x-forwarded-host': fc.constantFrom('evil.example', 'evil.example, evil.example'),
    'x-forwarded-prefix': fc.constantFrom('/evil', '/evil, /evil'),
  },
  { requiredKeys: [] },
);
const address = fc.oneof(
  fc.ipV4().filter((one) => !one.startsWith('10.')),
  fc.ipV6().filter((one) => !one.includes('.')),
);
const fieldSets = fc.constantFrom<readonly ForwardingField[]>(['forwarded'], EXTENSIONS, [
  'x-forwarded-for',
  'x-forwarded-proto',
]);

describe('Forwarding fields that clients send', () => {
  it('are ignored if the peer is not trusted', () => {
    fc.assert(
      fc.property(spoofed, fieldSets, address, (lines, fields, peer) => {
        expect(resolve(lines, { peer, fields })).toMatchObject({
          address: peer,
          isAddressUnknown: false,
          scheme: 'http',
          host: undefined,
          prefix: '',
        });
      }),
    );
  });

  it('are ignored once the connection is closed, whatever the number of proxies', () => {
    const closed = { peer: '', trusted: 1 };
    expect(resolve({ 'x-forwarded-for': '6.6.6.6' }, closed).address).toBe('');
  });

  it('are ignored if trusted proxies append theirs', () => {
    const proxies = fc.array(
      fc.integer({ min: 2, max: 250 }).map((last) => `10.0.0.${last}`),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(spoofed, address, proxies, (client, origin, inner) => {
        // What each proxy saw, from the outermost to the innermost.
        const peers = [origin, ...inner];
        const append = (name: ForwardingField, values: readonly string[]): string =>
          [client[name] ?? [], values].flat().join(', ');
        const lines: Lines = {
          'x-forwarded-for': append('x-forwarded-for', peers),
          'x-forwarded-proto': append(
            'x-forwarded-proto',
            peers.map(() => 'http'),
          ),
          'x-forwarded-host': append(
            'x-forwarded-host',
            peers.map(() => 'api.example'),
          ),
          'x-forwarded-prefix': append(
            'x-forwarded-prefix',
            peers.map(() => '/gateway'),
          ),
        };
        expect(resolve(lines)).toEqual({
          address: origin,
          isAddressUnknown: false,
          scheme: 'http',
          host: 'api.example',
          prefix: '/gateway',
        });
        const line = peers.map(
          (one) => `for="${one.includes(':') ? `[${one}]` : one}";host=api.example;proto=http`,
        );
        expect(resolve({ forwarded: [client.forwarded ?? [], line].flat() }, forwarded)).toMatchObject({
          address: origin,
          isAddressUnknown: false,
          scheme: 'http',
          host: 'api.example',
        });
      }),
    );
  });

  it('are ignored beyond the number of proxies', () => {
    fc.assert(
      fc.property(spoofed, address, fc.integer({ min: 1, max: 3 }), (client, origin, count) => {
        const inner = Array.from({ length: count - 1 }, (_, at) => `172.16.0.${at + 1}`);
        const lines: Lines = {
          'x-forwarded-for': [client['x-forwarded-for'] ?? [], origin, inner].flat().join(', '),
        };
        expect(resolve(lines, { peer: '172.16.0.9', trusted: count }).address).toBe(origin);
      }),
    );
  });

  it('never cause an error', () => {
    const junk = fc.array(fc.string({ maxLength: 30 }), { maxLength: 3 });
    const lines = fc.record(Object.fromEntries(FORWARDING_FIELDS.map((name) => [name, junk])));
    fc.assert(
      fc.property(lines, fieldSets, (values, fields) => {
        const { host, prefix } = resolve(values, { fields });
        expect(host ?? 'a').toMatch(/^[^\s/<>@\\]+$/);
        expect(prefix).toMatch(/^(\/[A-Za-z0-9._~-]+)*$/);
      }),
    );
  });
});
