import { useBench } from './bench';
import { digest } from './digest-client';
import { targets } from './guarded-platform';

const BASIC = 'Basic Z3VpZGU6ZXhwbG9yZQ==';
const V1 = 'application/vnd.atlas.v1+json';
const V2 = 'application/vnd.atlas.v2+json';

describe('the version of a request, where version 1 has the weaker adapter', () => {
  const bench = useBench();

  it.each([
    ['the URL of version 2', '/v2/atlas/visits', [], []],
    ['the URL without version, which means the highest,', '/atlas/visits', [], []],
    ['a media type of version 2 at the URL without version', '/atlas/visits', [`Accept: ${V2}`], ['Accept']],
    ['a media type of version 2 at its URL', '/v2/atlas/visits', [`Accept: ${V2}`], ['Accept']],
    ['a content type of version 2', '/atlas/visits', [`Content-Type: ${V2}`], ['Content-Type']],
    [
      'a media type of another API at the URL without version',
      '/atlas/visits',
      ['Accept: application/vnd.atlass.v1+json'],
      [],
    ],
    ['a media type without version', '/atlas/visits', ['Accept: application/vnd.atlas+json'], []],
    ['a media type with the same prefix', '/atlas/visits', ['Accept: application/vnd.atlas.v1+jsonp'], []],
    ['a media type with a sign', '/atlas/visits', ['Accept: application/vnd.atlas.v+1+json'], []],
    ['a media type with an exponent', '/atlas/visits', ['Accept: application/vnd.atlas.v1e0+json'], []],
    ['a media type in another header', '/atlas/visits', [`X-Accept: ${V1}`, `Api-Version: 1`], []],
  ])('accepts no Basic for %s', async (_, target, fields, vary) => {
    bench().expectRefusal(await bench().request({ target, fields, authorization: BASIC }), { vary });
  });

  it.each([
    ['Accept', '/v2/atlas/visits', [`Accept: ${V1}`]],
    ['Accept in upper case', '/v2/atlas/visits', [`ACCEPT: ${V1.toUpperCase()}`]],
    ['Accept with a parameter', '/v2/atlas/visits', [`Accept: ${V1};q=0.1`]],
    ['Accept with a parameter and spaces', '/v2/atlas/visits', [`Accept: ${V1} ; charset=utf-8`]],
    ['Accept at the end of a list', '/v2/atlas/visits', [`Accept: text/html, */*;q=0.1,${V1}`]],
    ['Accept on a second line', '/v2/atlas/visits', ['Accept: application/json', `Accept: ${V1}`]],
    ['Accept with a leading zero', '/v2/atlas/visits', ['Accept: application/vnd.atlas.v01+json']],
    ['Content-Type', '/v2/atlas/visits', [`Content-Type: ${V1}`]],
    ['Content-Type in upper case', '/v2/atlas/visits', [`Content-Type: ${V1.toUpperCase()}`]],
    ['Content-Type with a parameter', '/v2/atlas/visits', [`Content-Type: ${V1}; charset=utf-8`]],
    ['both, different from the URL', '/v2/atlas/visits', [`Accept: ${V1}`, `Content-Type: ${V1}`]],
    ['Accept against Content-Type', '/atlas/visits', [`Accept: ${V1}`, `Content-Type: ${V2}`]],
    ['Content-Type against Accept', '/atlas/visits', [`Accept: ${V2}`, `Content-Type: ${V1}`]],
    ['one member of Accept against the other', '/atlas/visits', [`Accept: ${V2}, ${V1}`]],
  ])('is undefined when %s names another one', async (_, target, fields) => {
    for (const authorization of [[], [BASIC], ['Digest']]) {
      expect((await bench().request({ target, fields, authorization })).status).toBe(400);
    }
  });

  it.each([
    ['the URL', '/v1/atlas/visits', [], 200, []],
    ['the URL with a leading zero', '/v01/atlas/visits', [], 200, []],
    ['Accept', '/atlas/visits', [`Accept: ${V1}`], 200, ['Accept']],
    ['Accept in upper case', '/atlas/visits', [`Accept: ${V1.toUpperCase()}`], 200, ['Accept']],
    [
      'Accept with a leading zero',
      '/atlas/visits',
      ['Accept: application/vnd.atlas.v01+json'],
      406,
      ['Accept'],
    ],
    ['Content-Type', '/atlas/visits', [`Content-Type: ${V1}`], 200, ['Content-Type']],
  ])('is guarded as version 1 when %s names it', async (_, target, fields, status, vary) => {
    bench().expectRefusal(await bench().request({ target, fields }), { vary });
    const { sign } = await bench().client();
    bench().expectRefusal(
      await bench().request({ target, fields, authorization: digest(sign({ uri: target })) }),
      { vary },
    );
    expect((await bench().request({ target, fields, authorization: BASIC })).status).toBe(status);
  });

  it.each(['/v0/atlas/visits', '/v3/atlas/visits', '/v99999999999999999999/atlas/visits'])(
    'is not found at %s, with and without credentials',
    async (target) => {
      for (const authorization of [[], [BASIC], ['Digest']]) {
        expect((await bench().request({ target, authorization })).status).toBe(404);
      }
    },
  );

  it.each([
    '/v+1/atlas/visits',
    '/v-1/atlas/visits',
    '/v1.0/atlas/visits',
    '/v1e0/atlas/visits',
    '/v0x1/atlas/visits',
    '/v%201/atlas/visits',
    '/v1%20/atlas/visits',
    '/v%EF%BC%91/atlas/visits',
    '/v/atlas/visits',
    '/v1/v2/atlas/visits',
    '/1/atlas/visits',
  ])('is undefined at %s', async (target) => {
    for (const authorization of [[], [BASIC]]) {
      expect((await bench().request({ target, authorization })).status).toBe(404);
    }
  });

  it('does not accept the credentials of another version', async () => {
    bench().expectRefusal(await bench().request({ target: targets.digest, authorization: BASIC }));
    const { sign } = await bench().client();
    const authorization = digest(sign({ uri: targets.basic }));
    bench().expectRefusal(await bench().request({ target: targets.basic, authorization }));
  });
});
