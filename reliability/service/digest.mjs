import { createHash } from 'node:crypto';

const HASHES = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' };

const parameter = (challenge, name) => {
  const found = new RegExp(`(?:^|[ ,])${name}=(?:"([^"]*)"|([^, ]+))`).exec(challenge);
  return found?.[1] ?? found?.[2];
};

/** The last Digest challenge of a `WWW-Authenticate` field. */
export const digestChallenge = (field) => field.slice(field.lastIndexOf('Digest '));

export const isStale = (challenge) => parameter(challenge, 'stale') === 'true';

/** The `Authorization` field that answers a challenge (RFC 7616, 3.4). */
export function digestResponse(challenge, { username, password }, method, uri, count) {
  const algorithm = parameter(challenge, 'algorithm') ?? 'MD5';
  const hash = (text) => createHash(HASHES[algorithm]).update(text).digest('hex');
  const [realm, nonce, opaque] = ['realm', 'nonce', 'opaque'].map((name) => parameter(challenge, name) ?? '');
  const nc = count.toString(16).padStart(8, '0');
  const response = hash(
    `${hash(`${username}:${realm}:${password}`)}:${nonce}:${nc}:c0ffee:auth:${hash(`${method}:${uri}`)}`,
  );
  return (
    `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}", ` +
    `opaque="${opaque}", algorithm=${algorithm}, qop=auth, nc=${nc}, cnonce="c0ffee"`
  );
}
