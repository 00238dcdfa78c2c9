import { hashSync } from '@node-rs/bcrypt';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { ConfigObject } from '../../src/framework';
import { createFetchHandler } from '../../src/platform';
import { startTestPlatform, type TestPlatform } from '../factories/platform';

/** Names in node:crypto of the Digest algorithms (RFC 7616, 6.1). */
const PRIMITIVES = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' } as const;
export type Algorithm = keyof typeof PRIMITIVES;

/** H(data) of RFC 7616, 3.3, over octets written as characters. */
export function digestOf(algorithm: Algorithm, octets: string): string {
  return createHash(PRIMITIVES[algorithm]).update(octets, 'latin1').digest('hex');
}

/** The UTF-8 octets of a text, one character each, as in a header. */
export function octetsOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Name and password of the Digest user; the same in every realm. */
export const digestUsers: ReadonlyMap<string, string> = new Map([
  ['guide', 'explore'],
  ['Mufasa', 'Circle of Life'],
  ['Jäsøn Doe', 'Secret, or not?'],
  ['back\\slash "quote"', 'p\\a"s'],
  ['日本', '語'],
]);

/** A password of 72 bytes: bcrypt ignores further ones. */
export const SEVENTY_TWO = 'x'.repeat(72);

/** Name and password of the Basic user; the user `bcrypt` has the password SEVENTY_TWO. */
export const basicUsers: Readonly<Record<string, string>> = {
  guide: 'explore',
  Aladdin: 'open sesame',
  test: '123£',
  zero: '0',
  empty: '',
  colons: 'a:b::c:',
  colon: ':',
  spaces: ' leading and trailing ',
  'with space': 'x',
  symbols: '~~~???>>>',
  'Jäsøn Doe': 'Übergröße',
  emoji: '🔑',
  tab: 'a\tb',
  newline: 'a\nb',
  nul: 'a\0b',
  delete: 'a\x7fb',
  c1: 'a\u0085b',
  long: 'p'.repeat(1000),
};

const REALMS = {
  digest: 'Atlas',
  brief: 'Brief',
  // The realms of the examples of RFC 7616, 3.9.
  old: 'http-auth@example.org',
  modern: 'api@example.org',
  strange: 'Räume, nonce=1; x',
} as const;

/** What each adapter guards: a target and its realm. `atlas` requires a user, the others are open to guests. */
export const targets = {
  basic: '/v1/atlas/visits',
  digest: '/v2/atlas/visits',
  /** The nonce lifetime is one second. */
  brief: '/v2/atlas/countries/DE',
  /** MD5 only, as in a file of Apache's htdigest. */
  old: '/v2/atlas/distance?from=DE&to=FR',
  /** SHA-512-256 only; one user has a line for MD5 too. */
  modern: '/v1/atlas/distance?from=DE&to=FR',
  /** A realm with everything that breaks a naive parser, and a domain. */
  strange: '/v1/atlas/countries/DE',
} as const;

/** What receives the requests: the server of the platform, or a fetch handler behind another server. */
export const fronts = ['the server', 'a fetch handler'] as const;
export type Front = (typeof fronts)[number];

/** The sample API with one Basic and five Digest adapters, each with its own password files. */
export async function startGuardedPlatform(front: Front): Promise<TestPlatform> {
  const platform = await startWithAdapters();
  return front === 'the server' ? platform : await behindFetchHandler(platform);
}

/** Serves the project of a platform with a fetch handler. */
async function behindFetchHandler(platform: TestPlatform): Promise<TestPlatform> {
  const handler = await createFetchHandler({
    root: platform.root,
    log: platform.log,
    environment: { OPERATIONS_LISTEN: 'off' },
    address: () => '127.0.0.1',
  });
  const server = serve({ fetch: (request) => handler(request), port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    ...platform,
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      await new Promise((resolve) => server.close(resolve));
      await handler.close();
      await platform.stop();
    },
  };
}

function startWithAdapters(): Promise<TestPlatform> {
  return startTestPlatform({
    files: {
      'users/basic': passwordFile(),
      'users/digest': digestFile('digest', ['SHA-256', 'MD5']),
      'users/brief': digestFile('brief', ['SHA-256']),
      'users/old': digestFile('old', ['MD5']),
      'users/modern': digestFile('modern', ['SHA-512-256']) + digestLine('guide', REALMS.modern, 'MD5'),
      'users/strange': digestFile('strange', ['SHA-256', 'MD5']),
    },
    local: {
      'platform-mvc-auth': {
        // Nearly all requests of this suite fail.
        throttling: { enabled: false },
        authentication: {
          adapters: {
            basic: httpAdapter({ accept_schemes: ['basic'], realm: 'Atlas', htpasswd: 'users/basic' }),
            digest: digestAdapter('digest'),
            brief: digestAdapter('brief', { nonce_timeout: '1' }),
            old: digestAdapter('old'),
            modern: digestAdapter('modern'),
            strange: digestAdapter('strange', { digest_domains: '/v1/atlas /v2/atlas' }),
          },
          map: {
            'Atlas-v1': 'basic',
            'Atlas-v2': 'digest',
            'Atlas-v2/Country': 'brief',
            'Atlas-v2/Distance': 'old',
            'Atlas-v1/Distance': 'modern',
            'Atlas-v1/Country': 'strange',
          },
        },
      },
    },
  });
}

function httpAdapter(options: ConfigObject): ConfigObject {
  return { adapter: 'HttpAdapter', options };
}

function digestAdapter(name: keyof typeof REALMS, options: ConfigObject = {}): ConfigObject {
  return httpAdapter({
    accept_schemes: ['digest'],
    realm: REALMS[name],
    htdigest: `users/${name}`,
    digest_domains: '',
    nonce_timeout: '3600',
    ...options,
  });
}

function digestFile(name: keyof typeof REALMS, algorithms: readonly Algorithm[]): string {
  return [...digestUsers.keys()]
    .flatMap((user) => algorithms.map((algorithm) => digestLine(user, REALMS[name], algorithm)))
    .join('');
}

function digestLine(user: string, realm: string, algorithm: Algorithm): string {
  const secret = digestOf(algorithm, octetsOf(`${user}:${realm}:${digestUsers.get(user) ?? ''}`));
  return `${user}:${realm}:${algorithm === 'SHA-512-256' ? '{SHA-512-256}' : ''}${secret}\n`;
}

function passwordFile(): string {
  const sha1 = (password: string): string => createHash('sha1').update(password, 'utf8').digest('base64');
  const cheap = Object.entries(basicUsers).map(([user, password]) => `${user}:{SHA}${sha1(password)}\n`);
  return [...cheap, `bcrypt:${hashSync(SEVENTY_TWO, { cost: 4 })}\n`].join('');
}
