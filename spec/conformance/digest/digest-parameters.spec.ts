import { digestTable, useBench, type DigestCase } from '../bench';
import { digest, without, type Sign } from '../digest-client';

const REQUIRED = ['username', 'realm', 'nonce', 'uri', 'response', 'opaque', 'qop', 'nc', 'cnonce'] as const;

/** Resembles the right value, but differs. */
const WRONG: Readonly<Record<string, string>> = {
  username: '"guido"',
  realm: '"atlas"',
  nonce: `"${'0'.repeat(68)}"`,
  uri: '"/v2/atlas/countries"',
  response: `"${'0'.repeat(64)}"`,
  opaque: `"${'0'.repeat(32)}"`,
  algorithm: 'SHA-512-256',
  qop: 'auth-int',
  nc: '00000002',
  cnonce: '"0a4f113c"',
};

describe.each(['SHA-256', 'MD5'])('Digest credentials with %s, each parameter', (algorithm) => {
  const bench = useBench();
  const signed = (sign: Sign): ReturnType<Sign> => sign({ algorithm });

  describe('missing', () => {
    digestTable(
      bench,
      REQUIRED.map((name): DigestCase => [
        name,
        'is rejected',
        (sign) => digest(without(signed(sign), name)),
      ]),
    );
  });

  describe('empty', () => {
    digestTable(
      bench,
      REQUIRED.map((name): DigestCase => [
        name,
        'is rejected',
        (sign) => digest({ ...signed(sign), [name]: '""' }),
      ]),
    );
  });

  describe('wrong', () => {
    digestTable(
      bench,
      Object.entries(WRONG).map(([name, value]): DigestCase => [
        name,
        'is rejected',
        (sign) => digest({ ...signed(sign), [name]: value }),
      ]),
    );
  });

  describe('repeated', () => {
    digestTable(
      bench,
      Object.entries(WRONG).flatMap(([name, value]): DigestCase[] => [
        [
          `${name}, the same both times,`,
          'is rejected',
          (sign) => `${digest(signed(sign))}, ${name}=${signed(sign)[name] ?? ''}`,
        ],
        [
          `${name}, wrong the second time,`,
          'is rejected',
          (sign) => `${digest(signed(sign))}, ${name}=${value}`,
        ],
        [
          `${name}, wrong the first time and in capitals,`,
          'is rejected',
          (sign) => digest({ [name.toUpperCase()]: value, ...signed(sign) }),
        ],
      ]),
    );
  });
});
