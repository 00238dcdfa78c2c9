import { parseCredentials } from '../../../src/modules/mvc-auth/http/credentials';
import { readDigestCredentials } from '../../../src/modules/mvc-auth/http/digest/digest-credentials';
import { digestResponse } from '../../../src/modules/mvc-auth/http/digest/digest-response';
import { digestSecret } from '../../../src/modules/mvc-auth/http/digest/digest-algorithm';
import { useBench } from '../bench';
import { digest, parameterOf } from '../digest-client';
import { fronts, digestOf, octetsOf, targets } from '../guarded-platform';

/** RFC 7616, 3.9.1, unfolded. */
function exampleOf(algorithm: string, response: string): string {
  return [
    'Digest username="Mufasa"',
    'realm="http-auth@example.org"',
    'uri="/dir/index.html"',
    `algorithm=${algorithm}`,
    'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"',
    'nc=00000001',
    'cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"',
    'qop=auth',
    `response="${response}"`,
    'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
  ].join(', ');
}

describe.each(fronts)('the examples of RFC 7616, 3.9, over %s', (front) => {
  const bench = useBench(front);

  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('have the response that the server computes, with %s', (algorithm, response) => {
    const credentials = parseCredentials(exampleOf(algorithm, response));
    const given = credentials && readDigestCredentials(credentials);
    if (given === undefined) throw new Error('The example was not parsed.');
    expect(given).toMatchObject({ username: 'Mufasa', response, uri: '/dir/index.html', algorithm });
    const secret = digestSecret(given.algorithm, 'Mufasa', given.realm, 'Circle of Life');
    expect(digestResponse({ ...given, secret, method: 'GET' })).toBe(response);
    expect(digestResponse({ ...given, secret, method: 'POST' })).not.toBe(response);
  });

  it.each(['8ca523f5e9506fed4657c9700eebdbec', '00000000000000000000000000000000'])(
    'are rejected by a server with another nonce and opaque: %s',
    async (response) => {
      const authorization = exampleOf('MD5', response);
      bench().expect(await bench().request({ target: targets.old, authorization }), 'is rejected');
    },
  );

  it('authenticate unchanged, except for what the server chose', async () => {
    const { sign, challenge } = await bench().client(targets.old);
    expect(parameterOf(challenge, 'realm')).toBe('http-auth@example.org');
    const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
    const authorization = digest(sign({ username: 'Mufasa', password: 'Circle of Life', cnonce }));
    bench().expect(await bench().request({ target: targets.old, authorization }), 'is accepted');
  });

  it('authenticate with the hash of a UTF-8 name, using SHA-512/256 of FIPS 180-4', async () => {
    const { sign, challenge } = await bench().client(targets.modern);
    expect(parameterOf(challenge, 'charset')).toBe('UTF-8');
    expect(parameterOf(challenge, 'userhash')).toBe('true');
    const username = octetsOf('Jäsøn Doe');
    const written = sign({ username, password: 'Secret, or not?' });
    const hash = digestOf('SHA-512-256', `${username}:api@example.org`);
    // The RFC prints the result of SHA-512 truncated to 256 bits (3.9.2).
    expect(hash).not.toBe('488869477bf257147b804c45308cd62ac4e25eb717b12b298c79e62dcea254ec');
    const authorization = digest({ ...written, username: `"${hash}"`, userhash: 'true' });
    bench().expect(await bench().request({ target: targets.modern, authorization }), 'is accepted');
  });
});
