// A grammar of HTTP/1.1 requests (RFC 9112), most of which are valid.
import { digestResponse } from '../service/digest.mjs';
import { body, target } from './targets.mjs';

const METHODS = [
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
];
/** Methods that no operation has; most of them end the connection. */
const OTHER_METHODS = ['QUERY', 'TRACE', 'CONNECT', 'PROPFIND', 'get', 'FOO', 'PRI', 'M-SEARCH', 'SETUP'];
const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];

const base64 = (text) => Buffer.from(text).toString('base64');

const BASIC = [
  `Basic ${base64('guide:explore')}`,
  `basic  ${base64('guide:explore')}`,
  `Basic ${base64('guide')}`,
  `Basic ${base64(':')}`,
  'Basic',
  'Basic !!!!',
  `Basic ${base64('gu\u0000ide:explore')}`,
  `Basic ${'A'.repeat(3_000)}`,
];

const OTHERS = [
  'Bearer x',
  'Digest',
  'Digest username="guide"',
  'Digest a=b, a=b',
  'Digest ,,,=',
  'Negotiate',
  '',
];

/** @param {{ challenge: string, count: number }} session of a client that signs in with Digest */
function authorization(random, method, uri, session) {
  const kind = random.below(8);
  if (kind === 0) return random.pick(OTHERS);
  // A wrong password is hashed slowly, and is throttled.
  if (kind === 1 && random.chance(0.01)) return `Basic ${base64(`guide:wrong${random.below(1e6)}`)}`;
  if (kind < 5) return random.pick(BASIC);
  const field = digestResponse(
    session.challenge,
    { username: 'guide', password: 'explore' },
    method,
    uri,
    ++session.count,
  );
  if (random.chance(0.6)) return field;
  return field.replace(
    new RegExp(
      `${random.pick(['username', 'realm', 'nonce', 'uri', 'response', 'opaque', 'algorithm', 'qop', 'nc', 'cnonce'])}=[^,]*`,
    ),
    (pair) =>
      random.pick([
        '',
        `${pair}, ${pair}`,
        `${pair}x`,
        pair.replace(/=.*/, '="'),
        pair.replace(/"/g, ''),
        'x=y',
      ]),
  );
}

const FIELDS = [
  [
    'Accept',
    [
      '*/*',
      'application/json',
      'text/html',
      'application/hal+json',
      'text/csv',
      'application/x-ndjson',
      'image/png',
      'text/event-stream',
    ],
  ],
  [
    'Accept',
    [
      'application/vnd.atlas.v1+json',
      'application/vnd.atlas.v9+json',
      'a/b;q=2',
      ',,,',
      '*/*;q=0',
      'x'.repeat(2_000),
    ],
  ],
  ['Accept-Encoding', ['gzip', 'br', 'identity;q=0', '*;q=0', 'gzip;q=x', '']],
  ['Accept-Language', ['en', 'de, en;q=0.5', '*', ';;']],
  ['If-None-Match', ['*', '"x"', 'W/"x"', '"', '"a", "b"']],
  ['If-Match', ['*', '"x"', 'x', '']],
  ['If-Modified-Since', ['Sat, 29 Oct 1994 19:43:31 GMT', 'yesterday']],
  ['Range', ['bytes=0-1', 'bytes=5-1', 'bytes=0-,0-,0-', 'x']],
  ['Cookie', ['platform_admin=x', 'platform_admin=x; platform_admin=y', '=;=;', 'a'.repeat(4_000)]],
  ['Origin', ['http://localhost', 'null', 'https://example.com', ':']],
  ['Access-Control-Request-Method', ['GET', 'FOO', '']],
  ['X-Forwarded-For', ['1.2.3.4', '::1, unknown', "'"]],
  ['X-Request-Id', ['abc', 'x'.repeat(500), '\u00e4']],
  ['traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0-0-0']],
  ['Prefer', ['return=minimal', 'respond-async']],
  ['Upgrade', ['h2c', 'websocket']],
  ['Connection', ['keep-alive', 'Upgrade', 'keep-alive, close, x', 'Content-Length']],
  ['Expect', ['100-continue', '100-continue', '100-continue', '200-ok']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['TE', ['trailers']],
];

const HOSTS = ['localhost', '127.0.0.1:80', '[::1]'];
const INVALID_HOSTS = ['a b', '', 'x'.repeat(300), 'a/b', 'user@host'];

/** Splits a body into chunks (RFC 9112, 7.1), with extensions and trailers. */
function chunked(random, content) {
  const bytes = Buffer.from(content);
  let [text, at] = ['', 0];
  while (at < bytes.length) {
    const part = bytes.subarray(at, at + 1 + random.below(2_000));
    text += `${part.length.toString(16)}${random.chance(0.1) ? ';name="value"' : ''}\r\n${part.toString('latin1')}\r\n`;
    at += part.length;
  }
  return `${text}0\r\n${random.chance(0.1) ? 'Trailer: x\r\n' : ''}\r\n`;
}

/** A request, as text with one character per byte. */
export function request(random, session) {
  const method = random.pick(random.chance(0.97) ? METHODS : OTHER_METHODS);
  const uri = target(random);
  const version = random.chance(0.99)
    ? 'HTTP/1.1'
    : random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.2', 'http/1.1', '']);
  const fields = [['Host', random.pick(random.chance(0.98) ? HOSTS : INVALID_HOSTS)]];
  if (random.chance(0.01)) fields.pop();
  if (random.chance(0.4)) fields.push(['Authorization', authorization(random, method, uri, session)]);
  fields.push(
    ...random.some(4, () => random.pick(FIELDS)).map(([name, values]) => [name, random.pick(values)]),
  );
  let content = '';
  if (WITH_BODY.includes(method) ? random.chance(0.9) : random.chance(0.05)) {
    const [type, text] = body(random);
    if (type !== '') fields.push(['Content-Type', type]);
    if (random.chance(0.03)) fields.push(['Content-Encoding', random.pick(['gzip', 'br', 'identity', 'x'])]);
    if (random.chance(0.3)) {
      fields.push([
        'Transfer-Encoding',
        random.chance(0.95) ? 'chunked' : random.pick(['gzip, chunked', 'identity', 'chunked, chunked']),
      ]);
      content = chunked(random, text);
    } else {
      fields.push(['Content-Length', String(Buffer.byteLength(text))]);
      content = Buffer.from(text).toString('latin1');
    }
  }
  const lines = fields
    .map(([name, value]) => `${name}: ${Buffer.from(value).toString('latin1')}\r\n`)
    .join('');
  return `${method} ${Buffer.from(uri).toString('latin1')} ${version}\r\n${lines}\r\n${content}`;
}
