import { strongestFirst } from '../../../../src/modules/mvc-auth/adapters/challenge-strength';

describe('challenges', () => {
  it('are ordered by algorithm, with Basic last and equal ones in configuration order', () => {
    const sorted = [
      'Bearer realm="a"',
      'Digest realm="a", algorithm=SHA-256, qop="auth"',
      'Digest realm="b", algorithm=SHA-256-sess, qop="auth"',
      'Digest realm="a", algorithm=SHA-512-256',
      'digest realm="a", algorithm="MD5"',
      'Digest realm="b"',
      'Basic realm="a"',
      'BASIC realm="b"',
    ];
    expect(strongestFirst(sorted)).toEqual(sorted);
    const heads = (challenges: readonly string[]): string[] =>
      challenges.map((challenge) => challenge.toLowerCase().replace(/ realm="."|"/g, ''));
    expect(heads(strongestFirst([...sorted].reverse()))).toEqual([
      'bearer',
      'digest, algorithm=sha-256-sess, qop=auth',
      'digest, algorithm=sha-256, qop=auth',
      'digest, algorithm=sha-512-256',
      'digest',
      'digest, algorithm=md5',
      'basic',
      'basic',
    ]);
  });
});
