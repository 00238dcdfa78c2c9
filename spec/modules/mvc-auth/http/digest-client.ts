import { createHash } from 'node:crypto';

/** How a test client responds to a challenge; independent of the server's own computation. */
export interface ClientAnswer {
  readonly username: string;
  readonly password: string;
  readonly method?: string;
  readonly uri?: string;
  readonly nc?: number;
  readonly cnonce?: string;
  readonly session?: boolean;
  readonly userhash?: boolean;
  /** What the digest covers in addition to the request line, with `qop=auth-int`. */
  readonly body?: string;
  /** Replaces parameters, or removes those that are `undefined`. */
  readonly change?: Readonly<Record<string, string | undefined>>;
}

const NODE_NAMES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
};

/** The value of a parameter of a challenge or of `Authentication-Info`. */
export function parameterOf(field: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|[ ,])${name}=(?:"([^"]*)"|([^, ]+))`).exec(field);
  return match?.[1] ?? match?.[2];
}

/** The `Authorization` header with which a client responds to a challenge. */
export function answerTo(challenge: string, answer: ClientAnswer): string {
  const algorithm = parameterOf(challenge, 'algorithm') ?? 'MD5';
  const h = (text: string): string =>
    createHash(NODE_NAMES[algorithm] ?? 'md5')
      .update(text, 'utf8')
      .digest('hex');
  const realm = parameterOf(challenge, 'realm') ?? '';
  const nonce = parameterOf(challenge, 'nonce') ?? '';
  const { username, password, method = 'GET', uri = '/', cnonce = 'c0ffee' } = answer;
  const nc = (answer.nc ?? 1).toString(16).padStart(8, '0');
  const plain = h(`${username}:${realm}:${password}`);
  const a1 = answer.session ? h(`${plain}:${nonce}:${cnonce}`) : plain;
  const qop = answer.body === undefined ? 'auth' : 'auth-int';
  const a2 = [method, uri, ...(answer.body === undefined ? [] : [h(answer.body)])].join(':');
  const response = h(`${a1}:${nonce}:${nc}:${cnonce}:${qop}:${h(a2)}`);
  const name = answer.userhash ? h(`${username}:${realm}`) : Buffer.from(username).toString('latin1');
  const parameters: Record<string, string | undefined> = {
    username: `"${name}"`,
    realm: `"${realm}"`,
    nonce: `"${nonce}"`,
    uri: `"${uri}"`,
    response: `"${response}"`,
    opaque: `"${parameterOf(challenge, 'opaque') ?? ''}"`,
    algorithm: answer.session ? `${algorithm}-sess` : algorithm,
    qop,
    nc,
    cnonce: `"${cnonce}"`,
    ...(answer.userhash ? { userhash: 'true' } : {}),
    ...answer.change,
  };
  return `Digest ${Object.entries(parameters)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]))
    .join(', ')}`;
}
