import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { readBearerToken } from '../../../../src/modules/mvc-auth/bearer/bearer-token';
import { readJwt } from '../../../../src/modules/mvc-auth/bearer/jwt/read-jwt';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendRaw, type RawAnswer } from '../../../factories/http/raw-http';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { secondsFromNow, signed, signingKey, tokenOf } from '../../../factories/sign-in/tokens';
import { authentication, ClubModule } from '../../../fixtures/club-module';
import { anyText } from '../../../factories/any-text';

const SECRET = 'correct horse battery staple, and 32 more bytes of it at least, to sign SHA-512';
const [ISSUER, AUDIENCE] = ['https://issuer.example', 'club'];

const rsa = signingKey('RS256');
const other = signingKey('RS256', 'rs256-other');
const keys = [rsa, ...['RS512', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA'].map((alg) => signingKey(alg))];
/** A key of the set whose algorithm is not allowed. */
const ps384 = signingKey('PS384');
const anonymous = signingKey('ES256', 'anonymous');

const claims = (more: object = {}): Record<string, unknown> => ({
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'ada',
  exp: secondsFromNow(300),
  ...more,
});

let platform: TestPlatform;
beforeAll(async () => {
  const rules = { issuer: ISSUER, audience: AUDIENCE, realm: 'Club' };
  const { kid: _, alg: __, ...unnamed } = anonymous.jwk;
  const jwks = { keys: [...keys, ps384].map(({ jwk }) => jwk).concat([unnamed, { kty: 'new', kid: 'x' }]) };
  platform = await startTestPlatform({
    modules: HOSTING,
    extra: [new ClubModule()],
    files: { 'config/keys.json': JSON.stringify(jwks) },
    local: {
      'platform-mvc-auth': {
        ...(authentication(
          {
            public: {
              adapter: 'JwtAdapter',
              options: { ...rules, algorithms: keys.map(({ alg }) => alg), jwks: 'config/keys.json' },
            },
            secret: {
              adapter: 'JwtAdapter',
              options: {
                ...rules,
                algorithms: ['HS256', 'HS384', 'HS512'],
                secret: SECRET,
                name_claim: 'user.name',
              },
            },
          },
          { Club: 'public', Annex: 'secret' },
        )['platform-mvc-auth'] as object),
        throttling: { enabled: false },
      },
    },
  });
});
afterAll(() => platform.stop());

/** Sends a field value as it is. */
function send(authorization: string, path = '/club/hall'): Promise<RawAnswer> {
  return sendRaw(
    platform.origin,
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
  );
}

const challengeOf = ({ fields }: RawAnswer): string | undefined =>
  fields.find(([name]) => name === 'www-authenticate')?.[1];

const INVALID = 'Bearer realm="Club", error="invalid_token"';

describe('A signed token', () => {
  it.each(keys.map((key) => [key.alg, key] as const))('is accepted: %s', async (_, key) => {
    const answer = await send(`Bearer ${tokenOf(claims({ groups: ['staff'], scope: 'read write' }), key)}`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({
      name: 'ada',
      groups: ['staff'],
      scopes: ['read', 'write'],
    });
  });

  it.each(['HS256', 'HS384', 'HS512'])(
    'is accepted with a secret, with a name in an object: %s',
    async (alg) => {
      const token = signed({ alg }, claims({ user: { name: 'bob' } }), SECRET);
      const answer = await send(`bearer   ${token}`, '/annex/door');
      expect(JSON.parse(answer.body)).toMatchObject({ name: 'bob', groups: [], scopes: [] });
    },
  );

  it('may be signed with a key without an ID, and be for several audiences', async () => {
    const token = signed({ alg: 'ES256' }, claims({ aud: ['other', AUDIENCE] }), anonymous);
    expect((await send(`Bearer ${token}`)).status).toBe(200);
  });

  it.each([
    ['a second ago, within the tolerance', { exp: secondsFromNow(-1) }],
    ['a second in the future, within the tolerance', { nbf: secondsFromNow(1) }],
  ])('may expire or begin %s', async (_, more) => {
    expect((await send(`Bearer ${tokenOf(claims(more), rsa)}`)).status).toBe(200);
  });

  it('is challenged without an error if there is none', async () => {
    const answer = await platform.request('/club/board');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Club"');
  });

  const header = { alg: 'RS256', kid: 'rs256' };
  const good = tokenOf(claims(), rsa);
  const [head = '', body = '', signature = ''] = good.split('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  const pem = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const hmacWith = (key: string): string => signed({ alg: 'HS256', kid: 'rs256' }, claims(), key);
  const crossed = `${head}.${body}.${createHmac('sha256', String(rsa.jwk.n)).update(`${head}.${body}`).digest('base64url')}`;

  it.each<readonly [string, string]>([
    ['alg none, without a signature', `${none}.${body}.`],
    ['alg none, with a signature', `${none}.${body}.${signature}`],
    ['alg None', signed({ ...header, alg: 'None' }, claims(), rsa)],
    ['HMAC with the modulus of the public key', hmacWith(String(rsa.jwk.n))],
    ['HMAC with the public key as JWK', hmacWith(JSON.stringify(rsa.jwk))],
    ['HMAC with a PEM', hmacWith(pem)],
    ['HMAC under RS256', crossed],
    ['an algorithm that is not allowed, of a key in the set', tokenOf(claims(), ps384)],
    ['another key with the same ID', signed(header, claims(), { ...other, kid: 'rs256' })],
    ['a key of another algorithm', signed({ alg: 'ES256', kid: 'rs256' }, claims(), signingKey('ES256'))],
    ['an unknown key', tokenOf(claims(), other)],
    ['crit', signed({ ...header, crit: ['exp'], exp: 1 }, claims(), rsa)],
    ['an empty crit', signed({ ...header, crit: [] }, claims(), rsa)],
    ['b64 false', signed({ ...header, b64: false, crit: ['b64'] }, claims(), rsa)],
    ['jku', signed({ ...header, jku: 'https://attacker.example/keys' }, claims(), rsa)],
    ['x5u', signed({ ...header, x5u: 'https://attacker.example/cert' }, claims(), rsa)],
    ['jwk of another key', signed({ alg: 'RS256', jwk: other.jwk }, claims(), other)],
    ['a nested token', signed({ ...header, cty: 'JWT' }, good, rsa)],
    ['compression', signed({ ...header, zip: 'DEF' }, claims(), rsa)],
    ['another type', signed({ ...header, typ: 'logout+jwt' }, claims(), rsa)],
    ['a type that is a number', signed({ ...header, typ: 7 }, claims(), rsa)],
    ['an encrypted token', `${head}.${body}.${signature}.${body}.${signature}`],
    ['kid as a path', signed({ ...header, kid: '../../../../dev/null' }, claims(), rsa)],
    ['kid as SQL', signed({ ...header, kid: "x' OR 1=1 --" }, claims(), rsa)],
    ['kid __proto__', signed({ ...header, kid: '__proto__' }, claims(), rsa)],
    ['kid as an object', signed({ ...header, kid: { $ne: '' } }, claims(), rsa)],
    ['a long kid', signed({ ...header, kid: 'k'.repeat(300) }, claims(), rsa)],
    ['no alg', signed({ kid: 'rs256' }, claims(), rsa)],
    ['alg as a list', signed({ ...header, alg: ['RS256'] }, claims(), rsa)],
    ['alg __proto__', signed({ ...header, alg: '__proto__' }, claims(), rsa)],
    ['a header that is a list', signed('[]', claims(), rsa)],
    ['a header that is null', signed('null', claims(), rsa)],
    ['a header that is not JSON', signed('{"alg":"RS256"', claims(), rsa)],
    [
      'a header in invalid UTF-8',
      `${Buffer.from('{"alg":"RS256","x":"\xff"}', 'latin1').toString('base64url')}.${body}.${signature}`,
    ],
    ['claims that are text', signed(header, '"ada"', rsa)],
    ['not yet valid', tokenOf(claims({ nbf: secondsFromNow(60) }), rsa)],
    ['nbf as text', tokenOf(claims({ nbf: '1' }), rsa)],
    ['no exp', tokenOf(claims({ exp: undefined }), rsa)],
    ['exp as text', tokenOf(claims({ exp: String(secondsFromNow(60)) }), rsa)],
    ['exp that no server writes', tokenOf(claims({ exp: 1e17 }), rsa)],
    [
      'exp beyond all numbers',
      signed(header, JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999'), rsa),
    ],
    ['a bound certificate', tokenOf(claims({ cnf: { 'x5t#S256': 'a' } }), rsa)],
    ['a bound DPoP key', tokenOf(claims({ cnf: { jkt: 'a' } }), rsa)],
    ['a name with a character that changes the direction', tokenOf(claims({ sub: 'a\u202eda' }), rsa)],
    ['a name with a zero-width space', tokenOf(claims({ sub: 'ada\u200b' }), rsa)],
    ['a name with a line separator', tokenOf(claims({ sub: 'a\u2028da' }), rsa)],
    ['a name with a paragraph separator', tokenOf(claims({ sub: 'a\u2029da' }), rsa)],
    ['a name with half a character', tokenOf(claims({ sub: 'ada\ud83d' }), rsa)],
    ['exp null', tokenOf(claims({ exp: null }), rsa)],
    ['another issuer', tokenOf(claims({ iss: 'https://other.example' }), rsa)],
    ['an issuer with a slash', tokenOf(claims({ iss: `${ISSUER}/` }), rsa)],
    ['no issuer', tokenOf(claims({ iss: undefined }), rsa)],
    ['issuers', tokenOf(claims({ iss: [ISSUER] }), rsa)],
    ['another audience', tokenOf(claims({ aud: 'clubs' }), rsa)],
    ['no audience', tokenOf(claims({ aud: undefined }), rsa)],
    ['an object as audience', tokenOf(claims({ aud: { 0: AUDIENCE } }), rsa)],
    ['no name', tokenOf(claims({ sub: undefined }), rsa)],
    ['an empty name', tokenOf(claims({ sub: '' }), rsa)],
    ['a name that is a number', tokenOf(claims({ sub: 7 }), rsa)],
    ['a name with a line end', tokenOf(claims({ sub: 'ada\r\nX: y' }), rsa)],
    ['a name of 300 characters', tokenOf(claims({ sub: 'a'.repeat(300) }), rsa)],
    ['more than 8 KB', tokenOf(claims({ more: 'x'.repeat(8_000) }), rsa)],
    ['a changed signature', `${head}.${body}.${signature.replace(/^./, (one) => (one === 'A' ? 'B' : 'A'))}`],
    ['no signature', `${head}.${body}.`],
    ['two parts', `${head}.${body}`],
    ['padding', `${head}.${body}.${signature}==`],
    ['base64 that is not URL-safe', `${head}.${body}.${signature.replace(/.$/, '+')}`],
    [
      'other claims',
      `${head}.${Buffer.from(JSON.stringify(claims({ sub: 'eve' }))).toString('base64url')}.${signature}`,
    ],
    ['an empty token', ''],
    ['dots', '...'],
    ['two tokens', `${good} ${good}`],
    ['a parameter', 'token="x"'],
    ['a comma', `${good},`],
  ])('is refused: %s', async (_, token) => {
    const answer = await send(`Bearer ${token}`);
    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toBe(INVALID);
    const { type, title, status, detail, ...rest } = JSON.parse(answer.body) as Record<string, unknown>;
    expect([typeof type, typeof title, status, typeof detail, rest]).toEqual([
      'string',
      'string',
      401,
      'string',
      {},
    ]);
  });

  it('says when it has expired, and only then', async () => {
    const old = claims({ exp: secondsFromNow(-60) });
    expect(challengeOf(await send(`Bearer ${tokenOf(old, rsa)}`))).toBe(
      `${INVALID}, error_description="The token has expired."`,
    );
    expect(challengeOf(await send(`Bearer ${tokenOf(old, { ...other, kid: 'rs256' })}`))).toBe(INVALID);
  });

  it('is refused again while it is remembered by others, and after it was refused', async () => {
    const forged = `${head}.${body}.${tokenOf(claims(), other).split('.')[2] ?? ''}`;
    for (const [token, status] of [
      [good, 200],
      [forged, 401],
      [good, 200],
      [forged, 401],
    ] as const)
      expect((await send(`Bearer ${token}`)).status).toBe(status);
  });
});

describe('The parser of tokens', () => {
  it('returns the object of any header and claims, and nothing for other text', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, kid) => {
        const jwt = readJwt(signed({ alg: 'HS256', kid }, object, SECRET));
        if (kid.length > 256) expect(jwt).toBeUndefined();
        else
          expect(jwt).toEqual({
            header: { alg: 'HS256', kid },
            claims: JSON.parse(JSON.stringify(object)) as unknown,
          });
      }),
    );
  });

  it('never throws, and accepts three parts only', () => {
    const text = fc.oneof(anyText(), fc.stringMatching(/^[\w.=-]*$/), fc.string());
    fc.assert(
      fc.property(text, text, text, (one, two, three) => {
        for (const token of [one, `${one}.${two}`, `${one}.${two}.${three}`, `${one}.${two}.${three}.`]) {
          const jwt = readJwt(token);
          if (jwt !== undefined) expect(token.split('.')).toHaveLength(3);
          readBearerToken(`Bearer ${token}`);
        }
      }),
    );
  });

  it.each(['jku', 'x5u', 'jwk', 'crit', 'b64', 'cty', 'zip', 'enc'])(
    'refuses the header parameter %s, whatever its value (RFC 8725, 3.1 and 3.10)',
    (name) => {
      for (const value of [null, false, '', 'A128GCM', {}])
        expect(readJwt(signed({ alg: 'HS256', [name]: value }, {}, SECRET))).toBeUndefined();
    },
  );

  it('accepts signed tokens and access tokens in any letter case, and no other type (RFC 8725, 3.11)', () => {
    const isRead = (typ: unknown): boolean =>
      readJwt(signed({ alg: 'HS256', typ }, {}, SECRET)) !== undefined;
    for (const typ of ['jwt', 'JWT', 'at+jwt', 'AT+JWT', 'application/jwt', 'application/at+jwt'])
      expect([typ, isRead(typ)]).toEqual([typ, true]);
    for (const typ of ['', 'id+jwt', 'dpop+jwt', 'secevent+jwt', 'application/json', 'xjwt', null, ['jwt']])
      expect([typ, isRead(typ)]).toEqual([typ, false]);
  });

  it('accepts a valid token with exactly three parts, none of them empty (RFC 7515, 7.1)', () => {
    const token = signed({ alg: 'HS256' }, {}, SECRET);
    const [header = '', claims = '', signature = ''] = token.split('.');
    expect(readJwt(token)).toEqual({ header: { alg: 'HS256' }, claims: {} });
    for (const other of [
      `${header}.${claims}`,
      `${header}.${claims}.`,
      `.${claims}.${signature}`,
      `${header}..${signature}`,
      `${token}.`,
      `${token}.${signature}`,
      `${token}.${claims}.${signature}`,
    ])
      expect([other, readJwt(other)]).toEqual([other, undefined]);
  });

  it('reads a field in linear time, and no more than 8 KiB', () => {
    expect(readBearerToken(`Bearer ${'a'.repeat(8_192)}`)).toHaveLength(8_192);
    expect(readBearerToken(`Bearer ${'a'.repeat(8_193)}`)).toBeUndefined();
    expect(readBearerToken(`Bearer ${' '.repeat(70)}a`)).toBe('a');
    expect(readBearerToken('Bearer a b')).toBeUndefined();
    expect(readBearerToken('Bearera')).toBeUndefined();
    expect(readBearerToken('Basic YTpi')).toBeUndefined();
  });
});
