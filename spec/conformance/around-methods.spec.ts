import type { RawAnswer } from '../factories/http/raw-http';
import { useBench } from './bench';
import { digest } from './digest-client';
import { targets } from './guarded-platform';
import { linesOf } from './raw-request';

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'QUERY',
  'PROPFIND',
  'LOCK',
  'PURGE',
];

/** The effect of a guest's request with each method: 405 where no operation has it. */
const GUEST: Readonly<Record<string, number>> = { GET: 401, HEAD: 401, POST: 401, QUERY: 401 };
/** The methods of the operation. */
const ALLOWED = ['GET', 'HEAD', 'OPTIONS', 'POST', 'QUERY'];

const BASIC = 'Basic Z3VpZGU6ZXhwbG9yZQ==';

function allowOf(answer: RawAnswer): readonly string[] {
  return linesOf(answer, 'allow')
    .flatMap((line) => line.split(', '))
    .sort();
}

describe.each([
  ['Basic', targets.basic],
  ['Digest', targets.digest],
])('methods for %s', (_, target) => {
  const bench = useBench();

  it.each(METHODS)('%s without credentials has no effect', async (method) => {
    const answer = await bench().request({ method, target });
    expect(answer.status).toBe(GUEST[method] ?? 405);
    if (answer.status === 401) bench().expectRefusal(answer, { method });
    else expect(allowOf(answer)).toEqual(ALLOWED);
  });

  it.each(METHODS)(
    '%s with wrong credentials is rejected, whether the operation exists or not',
    async (method) => {
      for (const authorization of ['Digest x=y', 'Basic bm9ib2R5Og==']) {
        bench().expectRefusal(await bench().request({ method, target, authorization }), { method });
      }
    },
  );

  it('OPTIONS needs no credentials, as a preflight has none, and returns only methods', async () => {
    const fields = ['Origin: http://example.org', 'Access-Control-Request-Method: GET'];
    const answer = await bench().request({ method: 'OPTIONS', target, fields });
    expect(answer.status).toBe(204);
    expect(answer.body).toBe('');
    expect(allowOf(answer)).toEqual(ALLOWED);
  });

  it('OPTIONS of the server as a whole has an empty response, and GET of it none', async () => {
    const answer = await bench().request({ method: 'OPTIONS', target: '*' });
    expect([answer.status, answer.body, allowOf(answer)]).toEqual([204, '', []]);
    expect([400, 404]).toContain((await bench().request({ target: '*' })).status);
  });

  it.each(['G ET', 'GET\t', 'G@T', ''])('%j is not a method', async (method) => {
    expect((await bench().request({ method, target, authorization: BASIC })).status).toBe(400);
  });

  it.each(['get', 'Get', 'GETX', 'FOO', 'DESCRIBE'])(
    '%s is a method that is not implemented',
    async (method) => {
      expect((await bench().request({ method, target, authorization: BASIC })).status).toBe(501);
    },
  );

  it.each([`127.0.0.1:80`, target])('CONNECT %s opens no tunnel', async (authority) => {
    const answer = await bench().request({ method: 'CONNECT', target: authority });
    expect(answer.status).toBe(501);
    expect(answer.body).not.toContain('"visits"');
  });

  it.each([
    'X-HTTP-Method-Override: OPTIONS',
    'X-HTTP-Method: OPTIONS',
    'X-Method-Override: OPTIONS',
    '_method: OPTIONS',
    'Access-Control-Request-Method: GET',
    'X-Original-URL: /v1/atlas/countries',
    'X-Rewrite-URL: /v1/atlas/countries',
    'X-Forwarded-Prefix: /v1/atlas/countries',
    'X-Forwarded-Uri: /v1/atlas/countries',
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-User: guide',
    'X-Remote-User: guide',
    'Remote-User: guide',
    'X-Authenticated-User: guide',
    'Forwarded: for=127.0.0.1;host=localhost',
    `Proxy-Authorization: ${BASIC}`,
    'Cookie: user=guide; authorization=guide',
    'Origin: null',
    'Upgrade: websocket',
    'Upgrade: h2c',
  ])(`a request with "%s" is still a guest's`, async (field) => {
    bench().expectRefusal(await bench().request({ target, fields: [field] }));
  });

  it.each([
    '?_method=OPTIONS',
    '?Authorization=Basic+Z3VpZGU6ZXhwbG9yZQ%3D%3D',
    '?access_token=guide',
    '?user=guide',
  ])('a query %s authenticates nobody', async (query) => {
    bench().expectRefusal(await bench().request({ target: target + query }));
  });

  it('a public operation is not changed by a method in another header', async () => {
    const fields = ['X-HTTP-Method-Override: DELETE', `X-Original-URL: ${target}`];
    const answer = await bench().request({
      target: `${target.slice(0, 3)}/atlas/countries?page_size=1`,
      fields,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('countries');
    expect(answer.body).not.toContain('"visits"');
  });

  it.each([
    ['HTTP/1.0', `GET ${target} HTTP/1.0\r\n\r\n`],
    ['HTTP/1.0 with Host', `GET ${target} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n`],
  ])('%s is guarded too', async (_, octets) => {
    bench().expectRefusal(await bench().send(octets));
  });

  it.each([
    ['HTTP/1.1 without Host', `GET ${target} HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ['HTTP/1.1 with two Hosts', `GET ${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`],
    ['another protocol', `GET ${target} HTTPS/1.1\r\nHost: a\r\n\r\n`],
  ])('%s is not a valid request', async (_, octets) => {
    expect((await bench().send(octets)).status).toBe(400);
  });

  it.each([
    ['HTTP/0.9', `GET ${target}\r\n\r\n`],
    ['HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/9.9', `GET ${target} HTTP/9.9\r\nHost: a\r\n\r\n`],
  ])('%s is an unsupported version (RFC 9110, 15.6.6)', async (_, octets) => {
    const answer = await bench().send(octets);
    expect(answer.status).toBe(505);
    expect(answer.text).not.toContain('"visits"');
  });
});

describe('TRACE with valid credentials', () => {
  const bench = useBench();

  it('is not supported, and does not echo the request', async () => {
    const { sign } = await bench().client();
    for (const [target, authorization] of [
      [targets.basic, BASIC],
      [targets.digest, digest(sign({ method: 'TRACE' }))],
    ] as const) {
      const answer = await bench().request({ method: 'TRACE', target, authorization });
      expect(answer.status).toBe(405);
      expect(answer.text).not.toContain(authorization);
    }
  });
});
