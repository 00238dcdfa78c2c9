import fc from 'fast-check';
import { useBench } from './bench';
import { digest, quote, unquote } from './digest-client';
import { targets } from './guarded-platform';
import { KeepAlivePool } from './keep-alive';
import { parseChallenges } from './strict-challenge';

const POOL = 4;
const NAMES = [
  'username',
  'username*',
  'realm',
  'nonce',
  'uri',
  'response',
  'opaque',
  'algorithm',
  'qop',
  'nc',
];

/** Octets except those that would end the header. */
const octets = fc
  .uint8Array({ maxLength: 120 })
  .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 13)).toString('latin1'));

const value = fc.oneof(octets, octets.map(quote), fc.stringMatching(/^[0-9a-f]{8,68}$/), fc.constant('auth'));

const parameters = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), octets), value), { maxLength: 14 })
  .map((list) => list.map(([name, written]) => `${name}=${written}`).join(', '));

const field = fc.oneof(
  octets,
  octets.map((rest) => `Digest ${rest}`),
  octets.map((rest) => `Basic ${rest}`),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => `Basic ${Buffer.from(bytes).toString('base64')}`),
  parameters.map((rest) => `Digest ${rest}`),
  fc
    .tuple(fc.constantFrom('digest', 'DIGEST', 'Basic', 'Bearer', ''), parameters)
    .map((both) => both.join(' ')),
);

function requestOf(target: string, authorization: string): Buffer {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: ${authorization}`, '', ''];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

const request = fc
  .tuple(fc.constantFrom(...Object.values(targets)), field)
  .map(([target, authorization]) => requestOf(target, authorization));

describe('arbitrary octets in Authorization', () => {
  const bench = useBench();
  let pool: KeepAlivePool;
  beforeAll(() => (pool = new KeepAlivePool(bench().origin, POOL)));
  afterAll(() => pool.close());

  it('authenticate nobody, cause no error and never hang', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: POOL }), async (requests) => {
        for (const answer of await pool.ask(requests)) {
          expect([400, 401]).toContain(answer.status);
          if (answer.status === 401) expect(answer.body).toBe(bench().reference.body);
          for (const [, line = ''] of answer.head.matchAll(/\r\nwww-authenticate: ([^\r]*)/gi)) {
            expect(parseChallenges(line)).toHaveLength(1);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('do not authenticate when one character of valid credentials differs', async () => {
    const { sign } = await bench().client();
    const names = [
      'username',
      'realm',
      'nonce',
      'uri',
      'response',
      'opaque',
      'cnonce',
      'qop',
      'nc',
      'algorithm',
    ];
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.nat(),
        fc.integer({ min: 33, max: 126 }),
        async (name, place, code) => {
          const written = sign({ nc: (++count).toString(16).padStart(8, '0') });
          const right = unquote(written[name] ?? '');
          const at = place % right.length;
          const changed = right.slice(0, at) + String.fromCharCode(code) + right.slice(at + 1);
          // Hexadecimal digits and algorithm names are case-insensitive.
          fc.pre(changed.toLowerCase() !== right.toLowerCase());
          const authorization = digest({ ...written, [name]: quote(changed) });
          const [answer] = await pool.ask([requestOf(targets.digest, authorization)]);
          expect(answer?.status).toBe(401);
        },
      ),
      { numRuns: 500 },
    );
    const [answer] = await pool.ask([requestOf(targets.digest, digest(sign({ nc: '0000ffff' })))]);
    expect(answer?.status).toBe(200);
  });

  it('do not authenticate when one character of valid Basic credentials differs', async () => {
    const right = 'Z3VpZGU6ZXhwbG9yZQ==';
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: right.length - 1 }),
        fc.integer({ min: 33, max: 126 }),
        async (at, code) => {
          const token = right.slice(0, at) + String.fromCharCode(code) + right.slice(at + 1);
          fc.pre(token !== right);
          const [answer] = await pool.ask([requestOf(targets.basic, `Basic ${token}`)]);
          expect(answer?.status).toBe(401);
        },
      ),
      { numRuns: 500 },
    );
    const [answer] = await pool.ask([requestOf(targets.basic, `Basic ${right}`)]);
    expect(answer?.status).toBe(200);
  });
});
