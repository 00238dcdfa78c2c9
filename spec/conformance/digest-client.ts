import type { StrictChallenge } from './strict-challenge';
import { digestOf, digestUsers, octetsOf, type Algorithm } from './guarded-platform';

/** Parameters of a Digest response as they are written, quotes included; in this order by default. */
export type DigestParameters = Readonly<Record<string, string>>;

/** The inputs of a digest (RFC 7616, 3.4.1), all in octets, as the client sees them. */
interface Signing {
  readonly username: string;
  /** The user's by default. */
  readonly password: string;
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  readonly uri: string;
  readonly method: string;
  /** As it is written, e.g. `MD5-sess`. */
  readonly algorithm: string;
  /** The algorithm of the computation, defaults to `algorithm`. */
  readonly computed: Algorithm;
  readonly session: boolean;
  readonly qop: string;
  readonly nc: string;
  readonly cnonce: string;
  /** For `auth-int`. */
  readonly body: string;
  /** The user name in A1, when the written one is a hash or in another notation. */
  readonly known: string;
}

/** Signs like a correct client, with some inputs changed: the digest matches the changes. */
export type Sign = (changes?: Partial<Signing>) => DigestParameters;

export function parameterOf({ parameters }: StrictChallenge, name: string): string {
  return parameters.find((parameter) => parameter.name === name)?.value ?? '';
}

/** A client with this challenge that requests this target. */
export function signer(challenge: StrictChallenge, uri: string): Sign {
  return (changes = {}) => {
    const algorithm = changes.algorithm ?? parameterOf(challenge, 'algorithm');
    const username = changes.username ?? 'guide';
    const known = changes.known ?? username;
    const signing: Signing = {
      username,
      known,
      password: octetsOf(digestUsers.get(Buffer.from(known, 'latin1').toString('utf8')) ?? 'unknown'),
      realm: parameterOf(challenge, 'realm'),
      nonce: parameterOf(challenge, 'nonce'),
      opaque: parameterOf(challenge, 'opaque'),
      uri,
      method: 'GET',
      algorithm,
      computed: algorithmOf(algorithm),
      session: /-sess$/i.test(algorithm),
      qop: 'auth',
      nc: '00000001',
      cnonce: '0a4f113b',
      body: '',
      ...changes,
    };
    return {
      username: quote(signing.username),
      realm: quote(signing.realm),
      nonce: quote(signing.nonce),
      uri: quote(signing.uri),
      response: quote(responseOf(signing)),
      opaque: quote(signing.opaque),
      algorithm: signing.algorithm,
      qop: signing.qop,
      nc: signing.nc,
      cnonce: quote(signing.cnonce),
    };
  };
}

/** RFC 7616, 3.4.1 to 3.4.3. */
function responseOf(signing: Signing): string {
  const { method, uri, qop, body, computed } = signing;
  const a2 = `${method}:${uri}${qop === 'auth-int' ? `:${digestOf(computed, body)}` : ''}`;
  return keyedDigest(signing, a2);
}

/** The `rspauth` of a server that knows the secret (RFC 7616, 3.5). */
export function proofOf(written: DigestParameters, password: string): string {
  const value = (name: string): string => unquote(written[name] ?? '');
  const algorithm = value('algorithm');
  return keyedDigest(
    {
      known: value('username'),
      realm: value('realm'),
      password,
      nonce: value('nonce'),
      cnonce: value('cnonce'),
      nc: value('nc'),
      qop: value('qop'),
      computed: algorithmOf(algorithm),
      session: /-sess$/i.test(algorithm),
    },
    `:${value('uri')}`,
  );
}

type Key = Pick<
  Signing,
  'known' | 'realm' | 'password' | 'nonce' | 'cnonce' | 'nc' | 'qop' | 'computed' | 'session'
>;

function keyedDigest(key: Key, a2: string): string {
  const h = (octets: string): string => digestOf(key.computed, octets);
  const secret = h(`${key.known}:${key.realm}:${key.password}`);
  const a1 = key.session ? h(`${secret}:${key.nonce}:${key.cnonce}`) : secret;
  return h(`${a1}:${key.nonce}:${key.nc}:${key.cnonce}:${key.qop}:${h(a2)}`);
}

function algorithmOf(written: string): Algorithm {
  const name = written.replace(/-sess$/i, '').toUpperCase();
  return name === 'SHA-256' || name === 'SHA-512-256' ? name : 'MD5';
}

/** The `Authorization` header of parameters. */
export function digest(parameters: DigestParameters, separator = ', ', scheme = 'Digest '): string {
  return (
    scheme +
    Object.entries(parameters)
      .map(([name, value]) => `${name}=${value}`)
      .join(separator)
  );
}

export function without(parameters: DigestParameters, ...names: readonly string[]): DigestParameters {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));
}

export function quote(octets: string): string {
  return `"${octets.replace(/["\\]/g, '\\$&')}"`;
}

export function unquote(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replace(/\\(.)/gs, '$1') : written;
}
