import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { JwksUrl } from '../../../../src/modules/mvc-auth/bearer/keys/jwks-url';
import { KnownKeySets } from '../../../../src/modules/mvc-auth/bearer/keys/known-key-sets';
import { readJwks } from '../../../../src/modules/mvc-auth/bearer/keys/read-jwks';
import { AuthenticationUnavailable } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { setTestTimeout } from '../../../factories/test-timeout';
import { secondsFromNow, signingKey, tokenOf, type SigningKey } from '../../../factories/sign-in/tokens';
import { authentication, ClubModule } from '../../../fixtures/club-module';

setTestTimeout(60);

const [first, second] = [signingKey('ES256', 'first'), signingKey('ES256', 'second')];
const setOf = (...keys: readonly SigningKey[]): string =>
  JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
const token = (key: SigningKey, name = 'ada'): string =>
  tokenOf({ iss: 'https://issuer.example', aud: 'club', sub: name, exp: secondsFromNow(300) }, key);

/** An issuer that publishes its keys. */
class Issuer {
  readonly server: Server;
  requests = 0;
  respond: RequestListener = (_, outgoing) => outgoing.end(setOf(first));

  constructor() {
    this.server = createServer((message, outgoing) => {
      this.requests++;
      this.respond(message, outgoing);
    });
  }

  async listen(port = 0): Promise<string> {
    await once(this.server.listen(port, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/jwks`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const startWith = (jwks: string, files = {}): Promise<TestPlatform> =>
  startTestPlatform({
    modules: HOSTING,
    extra: [new ClubModule()],
    files,
    local: authentication(
      {
        token: {
          adapter: 'JwtAdapter',
          options: { algorithms: ['ES256'], issuer: 'https://issuer.example', audience: 'club', jwks },
        },
      },
      { Club: 'token' },
    ),
  });

async function statusOf(platform: TestPlatform, key: SigningKey): Promise<number> {
  const headers = { Authorization: `Bearer ${token(key)}` };
  return (await platform.request('/club/hall', { headers })).status;
}

describe('Keys at a URL', () => {
  let issuer: Issuer;
  let source: JwksUrl | undefined;
  let now: number;
  let warnings: string[];
  let changes: number;
  let known: KnownKeySets;
  beforeEach(() => {
    issuer = new Issuer();
    [now, warnings, changes, known] = [1_000_000, [], 0, new KnownKeySets()];
  });
  afterEach(async () => {
    source?.close();
    await issuer.close();
  });

  const open = async (url: string): Promise<JwksUrl> =>
    (source = await JwksUrl.open({
      adapter: 'token',
      url,
      types: ['EC'],
      changed: () => changes++,
      warn: (message) => warnings.push(message),
      clock: () => now,
      known,
    }));
  const header = (kid: string) => ({ alg: 'ES256', kid });

  it('are fetched once, at the start', async () => {
    const keys = await open(await issuer.listen());
    for (let i = 0; i < 10; i++) expect(await keys.keysFor(header('first'))).toHaveLength(1);
    expect([issuer.requests, keys.warnings]).toEqual([1, []]);
  });

  it('are fetched again for an unknown ID, at a bounded rate, whatever clients send', async () => {
    const keys = await open(await issuer.listen());
    for (let i = 0; i < 50; i++) expect(await keys.keysFor(header(`kid-${i}`))).toEqual([]);
    expect(issuer.requests).toBe(1);
    now += 10_000;
    issuer.respond = (_, outgoing) => outgoing.end(setOf(first, second));
    const found = await Promise.all(Array.from({ length: 20 }, () => keys.keysFor(header('second'))));
    expect(found.map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 1));
    expect([issuer.requests, changes]).toEqual([2, 1]);
    for (let i = 0; i < 50; i++) await keys.keysFor({ alg: 'ES256' });
    expect(issuer.requests).toBe(2);
  });

  it.each<readonly [string, RequestListener, string]>([
    ['an error', (_, outgoing) => outgoing.writeHead(500).end(), 'it responded 500'],
    ['text', (_, outgoing) => outgoing.end('<html>'), 'its response is not JSON'],
    ['no JWK Set', (_, outgoing) => outgoing.end('{"keys":{}}'), 'it is not a JWK Set'],
    ['no key', (_, outgoing) => outgoing.end('{"keys":[]}'), 'it has no usable key'],
    [
      'keys of other types',
      (_, outgoing) => outgoing.end('{"keys":[{"kty":"oct","k":"AAAA"}]}'),
      'it has no usable key',
    ],
    [
      'a private key',
      (_, outgoing) => outgoing.end('{"keys":[{"kty":"EC","d":"AAAA"}]}'),
      'key 1 is a private key',
    ],
    [
      'a redirect',
      (_, outgoing) => outgoing.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
      'a redirect',
    ],
    [
      'an endless response',
      (_, outgoing) => void outgoing.end('['.repeat(300_000)),
      'longer than 262144 bytes',
    ],
    [
      'too many keys',
      (_, outgoing) => outgoing.end(JSON.stringify({ keys: Array(101).fill({}) })),
      'at most 100',
    ],
    ['a broken connection', (message) => message.socket.destroy(), 'other side closed'],
  ])('do not stop the start when the issuer responds with %s', async (_, respond, reason) => {
    issuer.respond = respond;
    const url = await issuer.listen();
    const keys = await open(url);
    expect(keys.warnings).toEqual([
      expect.stringMatching(`^Authentication adapter "token": jwks: ${url} is not available: `),
    ]);
    expect(keys.warnings[0]).toContain(reason);
    await expect(keys.keysFor(header('first'))).rejects.toBeInstanceOf(AuthenticationUnavailable);
    // Another attempt is made later, and its success reported.
    issuer.respond = (__, outgoing) => outgoing.end(setOf(first));
    await expect(keys.keysFor(header('first'))).rejects.toThrow('are not known');
    expect(issuer.requests).toBe(1);
    now += 10_000;
    expect(await keys.keysFor(header('first'))).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining('is available again')]);
  });

  it('stay valid while the issuer is down, which is reported once', async () => {
    const keys = await open(await issuer.listen());
    issuer.respond = (_, outgoing) => outgoing.writeHead(503).end();
    for (let i = 0; i < 3; i++) {
      now += 10_000;
      expect(await keys.keysFor(header('second'))).toEqual([]);
      expect(await keys.keysFor(header('first'))).toHaveLength(1);
    }
    expect(issuer.requests).toBe(4);
    expect(warnings).toEqual([expect.stringContaining('it responded 503. The last keys stay valid.')]);
  });

  it('survive a reload while the issuer is down', async () => {
    const url = await issuer.listen();
    (await open(url)).close();
    issuer.respond = (_, outgoing) => outgoing.writeHead(503).end();
    const reloaded = await open(url);
    expect(await reloaded.keysFor(header('first'))).toHaveLength(1);
    expect(reloaded.warnings).toEqual([expect.stringContaining('The last keys stay valid.')]);
  });

  it('make requests wait for no server that does not respond, once closed', async () => {
    const url = await issuer.listen();
    const keys = await open(url);
    issuer.respond = () => undefined;
    now += 10_000;
    const pending = keys.keysFor(header('second'));
    keys.close();
    expect(await pending).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe('A platform whose issuer is down at the start', () => {
  it('responds with 503 until its keys are available, for its requests only', async () => {
    const issuer = new Issuer();
    const url = await issuer.listen();
    await issuer.close();
    const platform = await startWith(url);
    try {
      expect(platform.application.warnings.join()).toContain(`jwks: ${url} is not available`);
      const headers = { Authorization: `Bearer ${token(first)}` };
      const answer = await platform.request('/club/hall', { headers });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
      expect((await platform.request('/club/hall')).status).toBe(200);
      expect((await platform.request('/annex/door', { headers })).status).toBe(200);
      const malformed = { Authorization: 'Bearer a.b.c' };
      expect((await platform.request('/club/hall', { headers: malformed })).status).toBe(401);
    } finally {
      await platform.stop();
    }
  });
});

describe('Keys in a file', () => {
  it('are replaced when the file changes, also for tokens that were accepted before', async () => {
    const platform = await startWith('config/jwks.json', { 'config/jwks.json': setOf(first) });
    const file = path.join(platform.root, 'config', 'jwks.json');
    const until = async (key: SigningKey, status: number): Promise<void> => {
      for (let tries = 0; (await statusOf(platform, key)) !== status; tries++) {
        if (tries === 200) throw new Error(`The status is not ${status}.`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    try {
      expect([await statusOf(platform, first), await statusOf(platform, second)]).toEqual([200, 401]);
      writeFileSync(`${file}.new`, setOf(second));
      renameSync(`${file}.new`, file);
      await until(second, 200);
      expect(await statusOf(platform, first)).toBe(401);
      writeFileSync(file, '{"keys": [');
      for (let tries = 0; !platform.log.lines.some(({ level }) => level === 'warn') && tries < 200; tries++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect(platform.log.lines.map(({ message }) => message).join()).toContain(
        'the last valid version stay active',
      );
      expect(await statusOf(platform, second)).toBe(200);
    } finally {
      await platform.stop();
    }
  });
});

describe('The keys of a JWK Set', () => {
  const [strong, weak] = [signingKey('RS256', 'strong'), signingKey('RS256', 'weak', 1024)];
  const idsOf = (keys: readonly object[], types = ['RSA', 'EC']): unknown[] =>
    readJwks({ keys }, types).keys.map(({ kid }) => kid);

  it('do not verify tokens if they are RSA keys of less than 2048 bits (RFC 7518, 3.3)', () => {
    expect(idsOf([weak.jwk, strong.jwk, { ...strong.jwk, n: 2048 }])).toEqual(['strong']);
    expect(() => idsOf([weak.jwk])).toThrow('RSA keys with at least 2048 bits');
  });

  it('do not verify tokens if they are for encryption (RFC 7517, 4.2)', () => {
    const { use: _, ...unspecified } = first.jwk;
    expect(idsOf([{ ...second.jwk, use: 'enc' }, unspecified, strong.jwk])).toEqual(['first', 'strong']);
    expect(() => idsOf([{ ...second.jwk, use: 'enc' }])).toThrow('it has no usable key');
  });

  it('do not verify tokens if they are of types that no allowed algorithm has', () => {
    expect(idsOf([first.jwk, strong.jwk, { kty: 'oct', k: 'AAAA', kid: 'secret' }])).toEqual([
      'first',
      'strong',
    ]);
    expect(idsOf([first.jwk, strong.jwk], ['RSA'])).toEqual(['strong']);
  });
});
