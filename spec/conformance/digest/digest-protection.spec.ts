import { digestTable, useBench } from '../bench';
import { digest, parameterOf, signer, without } from '../digest-client';
import { fronts, digestOf, targets } from '../guarded-platform';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'get', '', 'GETGET'];

describe.each(fronts)('the quality of protection of Digest (RFC 7616, 3.4), over %s', (front) => {
  const bench = useBench(front);

  describe('as qop', () => {
    digestTable(bench, [
      ['auth', 'is accepted', (sign) => digest(sign())],
      ['auth in quotes', 'is accepted', (sign) => digest({ ...sign(), qop: '"auth"' })],
      ['auth in upper case, computed as such,', 'is rejected', (sign) => digest(sign({ qop: 'AUTH' }))],
      ['auth in upper case, computed as auth,', 'is rejected', (sign) => digest({ ...sign(), qop: 'AUTH' })],
      ['the list that was offered', 'is rejected', (sign) => digest({ ...sign(), qop: '"auth,auth-int"' })],
      [
        'the list that was offered, computed as such,',
        'is rejected',
        (sign) => digest({ ...sign({ qop: 'auth,auth-int' }), qop: '"auth,auth-int"' }),
      ],
      ['the reversed list', 'is rejected', (sign) => digest({ ...sign(), qop: '"auth-int, auth"' })],
      [
        'auth with a trailing space',
        'is rejected',
        (sign) => digest({ ...sign({ qop: 'auth ' }), qop: '"auth "' }),
      ],
      [
        'auth with a leading space',
        'is rejected',
        (sign) => digest({ ...sign({ qop: ' auth' }), qop: '" auth"' }),
      ],
      ['an unknown one', 'is rejected', (sign) => digest(sign({ qop: 'auth-conf' }))],
      ['an empty one', 'is rejected', (sign) => digest({ ...sign({ qop: '' }), qop: '""' })],
      ['auth-int over a digest of auth', 'is rejected', (sign) => digest({ ...sign(), qop: 'auth-int' })],
      [
        'auth over a digest of auth-int',
        'is rejected',
        (sign) => digest({ ...sign({ qop: 'auth-int' }), qop: 'auth' }),
      ],
      ['auth-int over another body', 'is rejected', (sign) => digest(sign({ qop: 'auth-int', body: 'x' }))],
    ]);

    it('is auth-int where it is offered, and not elsewhere', async () => {
      const { sign, challenge } = await bench().client();
      const offered = parameterOf(challenge, 'qop').split(/, */).includes('auth-int');
      const answer = await bench().request({
        target: targets.digest,
        authorization: digest(sign({ qop: 'auth-int' })),
      });
      bench().expect(answer, offered ? 'is accepted' : 'is rejected');
    });
  });

  describe('omitted as in RFC 2069', () => {
    const oldForm = (nonce: string, realm: string): string => {
      const secret = digestOf('MD5', `guide:${realm}:explore`);
      return `"${digestOf('MD5', `${secret}:${nonce}:${digestOf('MD5', `GET:${targets.digest}`)}`)}"`;
    };
    digestTable(bench, [
      [
        'a digest without qop, nc and cnonce',
        'is rejected',
        (sign, challenge) =>
          digest({
            ...without(sign({ algorithm: 'MD5' }), 'qop', 'nc', 'cnonce'),
            response: oldForm(parameterOf(challenge, 'nonce'), 'Atlas'),
          }),
      ],
      [
        'a digest without qop, nc, cnonce and algorithm',
        'is rejected',
        (sign, challenge) =>
          digest({
            ...without(sign({ algorithm: 'MD5' }), 'qop', 'nc', 'cnonce', 'algorithm'),
            response: oldForm(parameterOf(challenge, 'nonce'), 'Atlas'),
          }),
      ],
      [
        'an RFC 2069 digest with qop, nc and cnonce',
        'is rejected',
        (sign, challenge) =>
          digest({
            ...sign({ algorithm: 'MD5' }),
            response: oldForm(parameterOf(challenge, 'nonce'), 'Atlas'),
          }),
      ],
    ]);
  });

  describe('for methods other than GET', () => {
    digestTable(
      bench,
      METHODS.map((method) => [
        `a digest for ${JSON.stringify(method)}`,
        'is rejected',
        (sign) => digest(sign({ method })),
      ]),
    );
  });

  it.each(['POST', 'PATCH', 'DELETE'])('rejects a digest for GET in a %s request', async (method) => {
    const { sign } = await bench().client();
    const target = method === 'POST' ? targets.digest : `${targets.digest}/1`;
    const answer = await bench().request({ method, target, authorization: digest(sign({ uri: target })) });
    bench().expect(answer, 'is rejected');
  });

  it.each([
    ['HEAD', targets.digest, 200],
    ['POST', targets.digest, 422],
    ['PATCH', `${targets.digest}/none`, 404],
    ['DELETE', `${targets.digest}/none`, 404],
  ])('accepts a digest for %s in that request', async (method, target, status) => {
    const { challenge } = await bench().client();
    const authorization = digest(signer(challenge, target)({ method }));
    const body = method === 'POST' || method === 'PATCH' ? '{}' : '';
    const fields = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const answer = await bench().request({ method, target, authorization, fields, body });
    expect(answer.status).toBe(status);
  });

  it('rejects a digest for GET in a HEAD request, without a response body', async () => {
    const { sign } = await bench().client();
    const answer = await bench().request({
      method: 'HEAD',
      target: targets.digest,
      authorization: digest(sign()),
    });
    bench().expectRefusal(answer, { method: 'HEAD' });
  });

  describe('as response', () => {
    digestTable(bench, [
      [
        'a digest with a digit changed',
        'is rejected',
        (sign) => {
          const { response = '', ...rest } = sign();
          return digest({
            ...rest,
            response: response.replace(/[0-9a-f]/, (digit) => (digit === '0' ? '1' : '0')),
          });
        },
      ],
      [
        'a digest without its last digit',
        'is rejected',
        (sign) => {
          const { response = '', ...rest } = sign();
          return digest({ ...rest, response: response.replace(/.$/, '').replace(/.$/, '"') });
        },
      ],
      [
        'a digest with an extra digit',
        'is rejected',
        (sign) => {
          const { response = '', ...rest } = sign();
          return digest({ ...rest, response: response.replace(/"$/, '0"') });
        },
      ],
      [
        'a digest in base64',
        'is rejected',
        (sign) => {
          const { response = '', ...rest } = sign();
          return digest({
            ...rest,
            response: `"${Buffer.from(response.slice(1, -1), 'hex').toString('base64')}"`,
          });
        },
      ],
      ['a digest of a wrong password', 'is rejected', (sign) => digest(sign({ password: 'explorer' }))],
      [
        'a digest of the password in another letter case',
        'is rejected',
        (sign) => digest(sign({ password: 'Explore' })),
      ],
      ['a digest of an empty password', 'is rejected', (sign) => digest(sign({ password: '' }))],
      [
        'a digest of a password with a trailing space',
        'is rejected',
        (sign) => digest(sign({ password: 'explore ' })),
      ],
      [
        'a digest with the stored secret as the password',
        'is rejected',
        (sign) => digest(sign({ password: digestOf('SHA-256', 'guide:Atlas:explore') })),
      ],
      ['the word true', 'is rejected', (sign) => digest({ ...sign(), response: 'true' })],
    ]);
  });
});
