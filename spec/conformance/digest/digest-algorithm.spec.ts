import { digestTable, useBench } from '../bench';
import { digest, parameterOf, without } from '../digest-client';
import { fronts, targets } from '../guarded-platform';

describe.each(fronts)('the algorithm of Digest (RFC 7616, 3.3 and 3.4), over %s', (front) => {
  const bench = useBench(front);

  it.each([
    ['a file with SHA-256 and MD5', targets.digest, ['SHA-256', 'MD5']],
    ['a file with MD5, as Apache writes it,', targets.old, ['MD5']],
    ['a file with SHA-512-256 with a line of MD5 for one user', targets.modern, ['SHA-512-256']],
  ])('is offered as %s has it, the strongest first', async (_, target, algorithms) => {
    const { challenges } = await bench().client(target);
    expect(challenges.map((challenge) => parameterOf(challenge, 'algorithm'))).toEqual(algorithms);
  });

  describe('with SHA-256 and MD5 offered', () => {
    digestTable(bench, [
      ['SHA-256', 'is accepted', (sign) => digest(sign({ algorithm: 'SHA-256' }))],
      ['MD5', 'is accepted', (sign) => digest(sign({ algorithm: 'MD5' }))],
      ['SHA-256-sess', 'is accepted', (sign) => digest(sign({ algorithm: 'SHA-256-sess' }))],
      ['MD5-sess', 'is accepted', (sign) => digest(sign({ algorithm: 'MD5-sess' }))],
      ['SHA-256 in lower case', 'is accepted', (sign) => digest(sign({ algorithm: 'sha-256' }))],
      ['MD5 in lower case', 'is accepted', (sign) => digest(sign({ algorithm: 'md5' }))],
      ['MD5-SESS in upper case', 'is accepted', (sign) => digest(sign({ algorithm: 'MD5-SESS' }))],
      [
        'MD5 in quotes, as the specification shows it,',
        'is accepted',
        (sign) => digest({ ...sign({ algorithm: 'MD5' }), algorithm: '"MD5"' }),
      ],
      [
        'none, which means MD5,',
        'is accepted',
        (sign) => digest(without(sign({ algorithm: 'MD5' }), 'algorithm')),
      ],
      ['none over a digest of SHA-256', 'is rejected', (sign) => digest(without(sign(), 'algorithm'))],
      ['an empty one', 'is rejected', (sign) => digest({ ...sign({ algorithm: 'MD5' }), algorithm: '""' })],
      ['MD5 over a digest of SHA-256', 'is rejected', (sign) => digest({ ...sign(), algorithm: 'MD5' })],
      [
        'SHA-256 over a digest of MD5',
        'is rejected',
        (sign) => digest({ ...sign({ algorithm: 'MD5' }), algorithm: 'SHA-256' }),
      ],
      [
        'SHA-256 over a digest of SHA-256-sess',
        'is rejected',
        (sign) => digest({ ...sign({ algorithm: 'SHA-256-sess' }), algorithm: 'SHA-256' }),
      ],
      [
        'SHA-256-sess over a digest of SHA-256',
        'is rejected',
        (sign) => digest({ ...sign(), algorithm: 'SHA-256-sess' }),
      ],
      [
        'SHA-256 over a digest of SHA-512-256',
        'is rejected',
        (sign) => digest(sign({ algorithm: 'SHA-256', computed: 'SHA-512-256' })),
      ],
      [
        'SHA-512-256, which was not offered,',
        'is rejected',
        (sign) => digest(sign({ algorithm: 'SHA-512-256' })),
      ],
      [
        'SHA-512-256-sess, which was not offered,',
        'is rejected',
        (sign) => digest(sign({ algorithm: 'SHA-512-256-sess' })),
      ],
      [
        'SHA-512, which is unknown,',
        'is rejected',
        (sign) => digest(sign({ algorithm: 'SHA-512', computed: 'SHA-256' })),
      ],
      [
        'SHA256 without its hyphen',
        'is rejected',
        (sign) => digest(sign({ algorithm: 'SHA256', computed: 'SHA-256' })),
      ],
      ['token', 'is rejected', (sign) => digest(sign({ algorithm: 'token' }))],
      [
        'a list',
        'is rejected',
        (sign) => digest({ ...sign({ algorithm: 'MD5' }), algorithm: '"SHA-256, MD5"' }),
      ],
      [
        'MD5 with a trailing space',
        'is rejected',
        (sign) => digest({ ...sign({ algorithm: 'MD5' }), algorithm: '"MD5 "' }),
      ],
      ['MD5-sess-sess', 'is rejected', (sign) => digest(sign({ algorithm: 'MD5-sess-sess' }))],
      ['-sess alone', 'is rejected', (sign) => digest(sign({ algorithm: '-sess' }))],
      [
        'a session over another cnonce',
        'is rejected',
        (sign) => digest({ ...sign({ algorithm: 'MD5-sess' }), cnonce: '"another"' }),
      ],
      [
        'the name of a member of Object.prototype',
        'is rejected',
        (sign) => digest(sign({ algorithm: 'constructor' })),
      ],
    ]);
  });

  describe('with only MD5 offered', () => {
    digestTable(
      bench,
      [
        ['MD5', 'is accepted', (sign) => digest(sign())],
        ['none', 'is accepted', (sign) => digest(without(sign(), 'algorithm'))],
        ['MD5-sess', 'is accepted', (sign) => digest(sign({ algorithm: 'MD5-sess' }))],
        ['SHA-256', 'is rejected', (sign) => digest(sign({ algorithm: 'SHA-256' }))],
      ],
      targets.old,
    );
  });

  describe('with only SHA-512-256 offered', () => {
    digestTable(
      bench,
      [
        ['SHA-512-256', 'is accepted', (sign) => digest(sign())],
        ['SHA-512-256-sess', 'is accepted', (sign) => digest(sign({ algorithm: 'SHA-512-256-sess' }))],
        ['MD5, for which the user has a line,', 'is rejected', (sign) => digest(sign({ algorithm: 'MD5' }))],
        [
          'none, though the user has a line for MD5,',
          'is rejected',
          (sign) => digest(without(sign({ algorithm: 'MD5' }), 'algorithm')),
        ],
        ['SHA-256', 'is rejected', (sign) => digest(sign({ algorithm: 'SHA-256' }))],
      ],
      targets.modern,
    );
  });
});
