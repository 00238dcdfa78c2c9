import {
  finalDigest,
  digestResponse,
  digestPrefix,
  requestDigest,
} from '../../../../../src/modules/mvc-auth/http/digest/digest-response';
import { digestOf, digestSecret } from '../../../../../src/modules/mvc-auth/http/digest/digest-algorithm';

const mufasa = {
  session: false,
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  nc: '00000001',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  qop: 'auth',
  method: 'GET',
  uri: '/dir/index.html',
};
const secretOf = (algorithm: 'MD5' | 'SHA-256'): string =>
  digestSecret(algorithm, 'Mufasa', 'http-auth@example.org', 'Circle of Life');

describe('the Digest response value', () => {
  it('is that of RFC 7616, 3.9.1 for MD5', () => {
    expect(digestResponse({ ...mufasa, algorithm: 'MD5', secret: secretOf('MD5') })).toBe(
      '8ca523f5e9506fed4657c9700eebdbec',
    );
  });

  it('is that of RFC 7616, 3.9.1 for SHA-256', () => {
    expect(digestResponse({ ...mufasa, algorithm: 'SHA-256', secret: secretOf('SHA-256') })).toBe(
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    );
  });

  it('uses SHA-512/256 of FIPS 180-4, not the truncated SHA-512 of the example in 3.9.2', () => {
    expect(digestOf('SHA-512-256', 'abc', 'latin1')).toBe(
      '53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23',
    );
    const jason = {
      ...mufasa,
      algorithm: 'SHA-512-256',
      secret: digestSecret('SHA-512-256', 'Jäsøn Doe', 'api@example.org', 'Secret, or not?'),
      nonce: '5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK',
      cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v',
      uri: '/doe.json',
    } as const;
    expect(digestResponse(jason)).toBe('3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5');
  });

  it('binds the key of a session variant to nonce and cnonce', () => {
    const secret = secretOf('MD5');
    const key = digestOf('MD5', `${secret}:${mufasa.nonce}:${mufasa.cnonce}`, 'latin1');
    expect(digestResponse({ ...mufasa, session: true, algorithm: 'MD5', secret })).toBe(
      digestResponse({ ...mufasa, algorithm: 'MD5', secret: key }),
    );
  });

  it('omits the method from rspauth', () => {
    const input = { ...mufasa, algorithm: 'MD5', secret: secretOf('MD5') } as const;
    const a2 = digestOf('MD5', ':/dir/index.html', 'latin1');
    expect(finalDigest('MD5', digestPrefix(input, input.secret), requestDigest('MD5', '', input.uri))).toBe(
      digestOf('MD5', `${input.secret}:${input.nonce}:00000001:${input.cnonce}:auth:${a2}`, 'latin1'),
    );
  });
});
