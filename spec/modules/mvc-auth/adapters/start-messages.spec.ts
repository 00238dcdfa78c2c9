import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { signingKey } from '../../../factories/sign-in/tokens';
import { adapter, authentication, CLUB_FILES, ClubModule } from '../../../fixtures/club-module';
import type { ConfigObject, ConfigValue } from '../../../../src/platform';

const GOLDEN = path.join(__dirname, 'start-messages.golden.txt');

const basic: ConfigObject = { accept_schemes: ['basic'], realm: 'Club', htpasswd: 'config/people.htpasswd' };
const digest: ConfigObject = {
  accept_schemes: ['digest'],
  realm: 'Club',
  htdigest: 'config/club.htdigest',
  digest_domains: '',
  nonce_timeout: '3600',
};
const without = (options: ConfigObject, key: string): ConfigObject =>
  Object.fromEntries(Object.entries(options).filter(([name]) => name !== key));

/** The configuration of one adapter that guards the club. */
const one = (own: ConfigObject): ConfigObject => authentication({ own }, { Club: 'own' });
/** The configuration of two adapters with a map. */
const two = (map: Record<string, ConfigValue>, authorization: ConfigObject = {}): ConfigObject =>
  authentication({ basic: adapter(basic), digest: adapter(digest) }, map, authorization);

const SECRET = 'a secret of 32 bytes, or a little more';
/** An adapter for tokens with these options. */
const jwt = (options: ConfigObject): ConfigObject => one({ adapter: 'JwtAdapter', options });
const published = { algorithms: ['RS256'], issuer: 'https://issuer.example', audience: 'club' };

/** Every configuration error an operator can make, with an example. */
const examples: Readonly<Record<string, ConfigObject>> = {
  'an unknown kind of adapter': one({ adapter: 'HttpAdaptor', options: basic }),
  'a kind that is another service': one({ adapter: 'JsonModel', options: basic }),
  'an adapter without options': one({ adapter: 'HttpAdapter' }),
  'an unknown scheme': one(adapter({ ...basic, accept_schemes: ['ntlm'] })),
  'no scheme at all': one(adapter({ ...basic, accept_schemes: [] })),
  'accept_schemes that is not a list': one(adapter({ ...basic, accept_schemes: 'basic' })),
  'no realm': one(adapter(without(basic, 'realm'))),
  'an empty realm': one(adapter({ ...basic, realm: '' })),
  'a realm with a quote': one(adapter({ ...basic, realm: 'The "Club"' })),
  'a realm with a control character': one(adapter({ ...basic, realm: 'The\nClub' })),
  'a realm with a colon, for Digest': one(adapter({ ...digest, realm: 'Club: the' })),
  'a realm with surrounding whitespace, for Digest': one(adapter({ ...digest, realm: 'Club ' })),
  'Digest without nonce_timeout': one(adapter(without(digest, 'nonce_timeout'))),
  'a nonce_timeout of zero': one(adapter({ ...digest, nonce_timeout: '0' })),
  'a negative nonce_timeout': one(adapter({ ...digest, nonce_timeout: '-1' })),
  'a nonce_timeout in words': one(adapter({ ...digest, nonce_timeout: 'soon' })),
  'a nonce_timeout as a number': one(adapter({ ...digest, nonce_timeout: 3600 })),
  'digest_domains with a quote': one(adapter({ ...digest, digest_domains: '/"club"' })),
  'an unknown qop': one(adapter({ ...digest, qop: ['auth-conf'] })),
  'no qop at all': one(adapter({ ...digest, qop: [] })),
  'an unknown kind of weak hash': one(adapter({ ...basic, weak_hashes: ['md5'] })),
  'Basic without a password file': one(adapter(without(basic, 'htpasswd'))),
  'Digest without a password file': one(adapter(without(digest, 'htdigest'))),
  'a missing htpasswd file': one(adapter({ ...basic, htpasswd: 'config/missing' })),
  'a missing htdigest file': one(adapter({ ...digest, htdigest: 'config/missing' })),
  'a missing htgroup file': one(adapter({ ...basic, htgroup: 'config/missing' })),
  'an unreadable htpasswd file': one(adapter({ ...basic, htpasswd: 'config' })),
  'an unreadable htdigest file': one(adapter({ ...digest, htdigest: 'config' })),
  'an unreadable htgroup file': one(adapter({ ...basic, htgroup: 'config' })),
  'a realm without a line in the file': one(adapter({ ...digest, realm: 'Clubb' })),
  'Basic and Digest in one adapter': one(
    adapter({ ...basic, ...digest, accept_schemes: ['basic', 'digest'] }),
  ),
  'tokens without a key': jwt({ algorithms: ['RS256'] }),
  'tokens with two kinds of keys': jwt({ ...published, jwks: 'config/jwks.json', secret: SECRET }),
  'RS256 with a secret': jwt({ algorithms: ['RS256'], secret: SECRET }),
  'HS256 with public keys': jwt({ ...published, algorithms: ['RS256', 'HS256'], jwks: 'config/jwks.json' }),
  'tokens without an algorithm': jwt({ algorithms: [], secret: SECRET }),
  'the algorithm none': jwt({ algorithms: ['none'], secret: SECRET }),
  'a short secret': jwt({ algorithms: ['HS256'], secret: 'a secret of 31 bytes, or a less' }),
  'a short secret for one of the algorithms': jwt({ algorithms: ['HS256', 'HS512'], secret: SECRET }),
  'public keys without an issuer': jwt({ algorithms: ['RS256'], audience: 'club', jwks: 'config/jwks.json' }),
  'public keys without an audience': jwt({
    algorithms: ['RS256'],
    issuer: 'https://issuer.example',
    jwks: 'config/jwks.json',
  }),
  'a missing file of keys': jwt({ ...published, jwks: 'config/missing.json' }),
  'a file of keys that is not JSON': jwt({ ...published, jwks: 'config/people.htpasswd' }),
  'a file without a JWK Set': jwt({ ...published, jwks: 'config/application.json' }),
  'a file with a private key': jwt({ ...published, jwks: 'config/private.json' }),
  'a file with a short key only': jwt({ ...published, jwks: 'config/short.json' }),
  'keys at an address without encryption': jwt({ ...published, jwks: 'http://issuer.example/jwks' }),
  'keys at a malformed URL': jwt({ ...published, jwks: 'https://issuer example/jwks' }),
  'keys at an address with a password': jwt({ ...published, jwks: 'https://me:pw@issuer.example/jwks' }),
  'keys by FTP': jwt({ ...published, jwks: 'ftp://issuer.example/jwks' }),
  'a clock tolerance that is a number': jwt({ algorithms: ['HS256'], secret: SECRET, clock_tolerance: 5 }),
  'a realm of tokens with a line end': jwt({ algorithms: ['HS256'], secret: SECRET, realm: 'a\nb' }),
  'a misspelt option of tokens': jwt({
    algorithms: ['HS256'],
    secret: SECRET,
    isuer: 'https://issuer.example',
  }),
  'a misspelt option': one(adapter({ ...basic, htpaswd: 'config/people.htpasswd' })),
  'an API that does not exist': two({ Clubb: 'basic' }),
  'a version that does not exist': two({ 'Club-v7': 'basic' }),
  'a service that does not exist': two({ 'Club/Hal': 'basic' }),
  'an adapter that does not exist': two({ Club: 'digset' }),
  'Basic and Digest in a list': two({ Club: ['digest', 'basic'] }),
  'a map with values that are not names': two({ Club: 7 }),
  'a rule about an API that does not exist': two({}, { Clubb: { Hall: { GET: 'guest' } } }),
  'a rule about a service that does not exist': two({}, { Club: { Hal: { GET: 'guest' } } }),
  'a rule about a method that does not exist': two({}, { Club: { Hall: { PUT: 'guest' } } }),
  'an invalid rule': two({}, { Club: { Hall: { GET: 'everyone' } } }),
  'a policy rule for the documentation': two({}, { '@documentation': 'everyone' }),
  'a throttling limit of zero': { 'platform-mvc-auth': { throttling: { failures: 0 } } },
  'an infinite throttling window': { 'platform-mvc-auth': { throttling: { window: 1e9 } } },
};

const files = {
  ...CLUB_FILES,
  'config/private.json': JSON.stringify({
    keys: [{ kty: 'RSA', kid: 'a', n: 'AQAB', e: 'AQAB', d: 'AQAB' }],
  }),
  'config/short.json': JSON.stringify({ keys: [signingKey('RS256', 'short', 1024).jwk] }),
};

/** The message without what differs between runs. */
async function refusalOf(local: ConfigObject): Promise<string> {
  const message = await startRefusal({ modules: HOSTING, extra: [new ClubModule()], files, local });
  return message.replaceAll(/\/\S*?\/platform-\w+/g, '<root>');
}

describe('the messages of a platform that does not start', () => {
  const messages = new Map<string, string>();
  beforeAll(async () => {
    for (const [mistake, local] of Object.entries(examples)) messages.set(mistake, await refusalOf(local));
  }, 60_000);

  it('match the golden file (update it with WRITE_GOLDEN=1)', () => {
    const text = [...messages].map(([mistake, message]) => `# ${mistake}\n${message}\n`).join('\n');
    if (process.env.WRITE_GOLDEN === '1') writeFileSync(GOLDEN, text);
    expect(text).toBe(readFileSync(GOLDEN, 'utf8'));
  });

  it('are different for each error', () => {
    expect(new Set(messages.values()).size).toBe(messages.size);
  });

  it('contain the location', () => {
    for (const message of messages.values())
      expect(message).toMatch(/^config\/autoload\/local\.json:\d+:\d+: /);
  });
});
