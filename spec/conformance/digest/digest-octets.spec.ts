import { digestTable, useBench } from '../bench';
import { digest } from '../digest-client';
import { targets } from '../guarded-platform';

const CONTROLS = [0x01, 0x08, 0x0b, 0x0c, 0x1b, 0x1f];

describe('the octets of Digest credentials (RFC 9110, 5.5)', () => {
  const bench = useBench();

  describe('octets that are not allowed in a header value', () => {
    digestTable(bench, [
      ['a NUL in a value', 'is a bad request', (sign) => digest({ ...sign(), foo: '"a\0b"' })],
      ['a NUL at the end', 'is a bad request', (sign) => `${digest(sign())}\0`],
      ['a NUL in the user name', 'is a bad request', (sign) => digest(sign({ username: 'guide\0' }))],
      ['a carriage return alone', 'is a bad request', (sign) => digest({ ...sign(), foo: '"a\rb"' })],
      ['a line feed alone', 'is a bad request', (sign) => digest({ ...sign(), foo: '"a\nb"' })],
      ['a DEL', 'is a bad request', (sign) => digest({ ...sign(), foo: '"a\x7fb"' })],
      ...CONTROLS.map(
        (code) =>
          [
            `a control character 0x${code.toString(16)}`,
            'is a bad request',
            (sign: () => Record<string, string>) =>
              digest({ ...sign(), foo: `"a${String.fromCharCode(code)}b"` }),
          ] as const,
      ),
    ]);
  });

  describe('octets that are allowed in a header value', () => {
    digestTable(bench, [
      ['a tab in a quoted string', 'is accepted', (sign) => digest({ ...sign(), foo: '"a\tb"' })],
      [
        'an octet above 127 in a quoted string',
        'is accepted',
        (sign) => digest({ ...sign(), foo: '"\xff"' }),
      ],
      ['an octet above 127 in a token', 'is rejected', (sign) => digest({ ...sign(), foo: 'a\xe4' })],
      ['an octet above 127 in a name', 'is rejected', (sign) => digest({ ...sign(), 'fo\xf6': 'a' })],
      [
        'a quoted string with every delimiter',
        'is accepted',
        (sign) => digest({ ...sign(), foo: '"(),/:;<=>?@[\\\\]{}, nc=00000002"' }),
      ],
      [
        'a name of every token character',
        'is accepted',
        (sign) => digest({ ...sign(), "!#$%&'*+-.^_`|~0aA": 'x' }),
      ],
      ['a name that Object.prototype has', 'is accepted', (sign) => digest({ ...sign(), constructor: 'x' })],
      ['a leading byte order mark', 'is rejected', (sign) => `\xef\xbb\xbf${digest(sign())}`],
    ]);
  });

  describe('size', () => {
    digestTable(bench, [
      ['a header of 8 KB', 'is accepted', (sign) => digest({ ...sign(), foo: 'x'.repeat(8_000) })],
      ['a header of 15 KB', 'is accepted', (sign) => digest({ ...sign(), foo: 'x'.repeat(15_000) })],
      ['a header of 16 KB', 'is too large', (sign) => digest({ ...sign(), foo: 'x'.repeat(16_384) })],
      ['a header of 64 KB', 'is too large', (sign) => digest({ ...sign(), foo: 'x'.repeat(65_536) })],
      ['a header of 15 KB of commas', 'is accepted', (sign) => digest(sign()) + ','.repeat(15_000)],
      [
        'a header of 15 KB of backslashes',
        'is rejected',
        (sign) => `${digest(sign())}, foo="${'\\'.repeat(15_001)}"`,
      ],
      [
        'a header of 15 KB of spaces followed by an error',
        'is rejected',
        (sign) => `${digest(sign())}${' '.repeat(15_000)}x`,
      ],
      [
        'a header of 2000 parameters',
        'is accepted',
        (sign) =>
          digest(
            { ...sign(), ...Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`p${at}`, '1'])) },
            ',',
          ),
      ],
    ]);
  });

  describe('more than one header, or more than one credential in it', () => {
    digestTable(bench, [
      ['a header that is repeated', 'is rejected', (sign) => [digest(sign()), digest(sign())]],
      ['a wrong header before a right one', 'is rejected', (sign) => ['Digest x=y', digest(sign())]],
      ['a right header before a wrong one', 'is rejected', (sign) => [digest(sign()), 'Digest x=y']],
      [
        'a Basic header before a right one',
        'is rejected',
        (sign) => ['Basic Z3VpZGU6ZXhwbG9yZQ==', digest(sign())],
      ],
      [
        'a right header before a Basic one',
        'is rejected',
        (sign) => [digest(sign()), 'Basic Z3VpZGU6ZXhwbG9yZQ=='],
      ],
      ['an empty header before a right one', 'is rejected', (sign) => ['', digest(sign())]],
      ['a right header before an empty one', 'is rejected', (sign) => [digest(sign()), '']],
      ['a header in two halves', 'is rejected', (sign) => digest(sign()).split(/(?<=opaque="[0-9a-f]+"), /)],
      ['a second credential after a comma', 'is rejected', (sign) => `${digest(sign())}, ${digest(sign())}`],
      ['a Basic credential after a comma', 'is rejected', (sign) => `${digest(sign())}, Basic Z3VpZGU6`],
      ['a leading Basic credential', 'is rejected', (sign) => `Basic Z3VpZGU6, ${digest(sign())}`],
    ]);

    it('rejects a second header in another letter case', async () => {
      const { sign } = await bench().client();
      const answer = await bench().request({
        target: targets.digest,
        authorization: digest(sign()),
        fields: ['aUTHORIZATION: Digest x=y'],
      });
      bench().expect(answer, 'is rejected');
    });
  });

  describe('folded lines (RFC 9112, 5.2)', () => {
    digestTable(bench, [
      ['a fold with a space', 'is a bad request', (sign) => digest(sign(), ',\r\n ')],
      ['a fold with a tab', 'is a bad request', (sign) => digest(sign(), ',\r\n\t')],
      ['a fold inside quotes', 'is a bad request', (sign) => digest({ ...sign(), foo: '"a\r\n b"' })],
      ['a fold after the scheme', 'is a bad request', (sign) => digest(sign(), ', ', 'Digest\r\n ')],
    ]);
  });
});
