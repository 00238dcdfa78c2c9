import { useBench } from './bench';
import { digest } from './digest-client';
import { targets } from './guarded-platform';

const JSON_TYPE = 'Content-Type: application/json';
const BASIC = 'Basic Z3VpZGU6ZXhwbG9yZQ==';

/** The head of a request whose connection the server may keep open. */
function head(method: string, target: string, ...fields: readonly string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...fields, '', ''].join('\r\n');
}

/** How long a second response is awaited on an open connection, in milliseconds. */
const PAUSE = 80;

/** The number of responses in a text. */
function responsesIn(text: string): number {
  return text.split('HTTP/1.1 ').length - 1;
}

describe.each([
  ['no credentials', []],
  ['malformed credentials', ['Authorization: Digest']],
  ['wrong credentials', ['Authorization: Basic bm9ib2R5Og==']],
  ['two credentials', ['Authorization: Digest', 'Authorization: Digest']],
])('a body that is not sent, with %s', (_, authorization) => {
  const bench = useBench();

  it.each([
    ['Expect: 100-continue', ['Expect: 100-continue', 'Content-Length: 1000']],
    ['Expect in upper case', ['Expect: 100-CONTINUE', 'Content-Length: 1000']],
    ['Expect and chunks', ['Expect: 100-continue', 'Transfer-Encoding: chunked']],
    ['a length', ['Content-Length: 1000']],
    ['a length beyond every limit', ['Content-Length: 999999999999']],
    ['chunks', ['Transfer-Encoding: chunked']],
    ['an unsupported type', ['Content-Length: 1000', 'Content-Type: image/png']],
  ])('is not awaited: %s', async (__, fields) => {
    const type = fields.some((field) => field.startsWith('Content-Type')) ? [] : [JSON_TYPE];
    const answers = await Promise.all(
      [targets.basic, targets.digest].map((target) =>
        bench().send(head('POST', target, ...authorization, ...fields, ...type), PAUSE),
      ),
    );
    // A 100 would have been the first status.
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(answers.map(({ text }) => responsesIn(text))).toEqual([1, 1]);
  });

  it('is not awaited after a part of it', async () => {
    const half = `${head('POST', targets.digest, ...authorization, JSON_TYPE, 'Content-Length: 1000')}{"country`;
    const answer = await bench().send(half, PAUSE);
    expect(answer.status).toBe(401);
    const chunk = `${head('POST', targets.digest, ...authorization, 'Transfer-Encoding: chunked')}5\r\n{"cou`;
    expect((await bench().send(chunk, PAUSE)).status).toBe(401);
  });

  it('is rejected with the same bytes as a body that was sent', async () => {
    const fields = [JSON_TYPE, 'Content-Length: 2'];
    const options = { target: targets.digest, method: 'POST' };
    const sent = await bench().request({ ...options, fields: [...authorization, ...fields], body: '{}' });
    bench().expectRefusal(sent);
    const broken = await bench().request({ ...options, fields: [...authorization, ...fields], body: '{x' });
    bench().expectRefusal(broken);
  });

  it('is never parsed as another request', async () => {
    const inner = head('GET', '/v1/atlas/countries?page_size=1', 'X-Inner: 1');
    const outer = head(
      'POST',
      targets.digest,
      ...authorization,
      `Content-Length: ${inner.length}`,
      JSON_TYPE,
    );
    const answer = await bench().send(outer + inner, PAUSE);
    expect(answer.status).toBe(401);
    expect(responsesIn(answer.text)).toBe(1);
  });
});

describe('an unreadable body, with a rejected request', () => {
  const bench = useBench();

  it.each([
    ['a chunk without length', ['Transfer-Encoding: chunked'], 'nonsense\r\n'],
    ['a chunk that is too long', ['Transfer-Encoding: chunked'], '1\r\nxyz\r\n0\r\n\r\n'],
    ['an invalid coding', ['Transfer-Encoding: identity'], '{}'],
  ])('gets one response: %s', async (_, fields, body) => {
    const text = head('POST', targets.digest, ...fields, JSON_TYPE, 'Connection: close') + body;
    const answer = await bench().send(text, PAUSE);
    // The headers and the body may or may not have been read by then: both are correct.
    expect([400, 401, 501]).toContain(answer.status);
    expect(responsesIn(answer.text)).toBe(1);
  });
});

describe('a body with credentials', () => {
  const bench = useBench();

  it('is requested with 100 only when the client expects it', async () => {
    const { sign } = await bench().client();
    const authorization = `Authorization: ${digest(sign({ method: 'POST' }))}`;
    const fields = [
      authorization,
      'Expect: 100-continue',
      JSON_TYPE,
      'Content-Length: 2',
      'Connection: close',
    ];
    const answer = await bench().send(`${head('POST', targets.digest, ...fields)}{}`);
    expect(answer.status).toBe(100);
    expect(answer.text).toContain('HTTP/1.1 422 ');
  });

  it('is not requested by an unknown expectation', async () => {
    const fields = ['Expect: 200-ok', `Authorization: ${BASIC}`, 'Connection: close'];
    expect((await bench().send(head('GET', targets.basic, ...fields))).status).toBe(417);
  });

  it.each([
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3']],
    ['a length with a sign', ['Content-Length: +2']],
    ['a length below zero', ['Content-Length: -2']],
    ['a length that is a list', ['Content-Length: 2, 2']],
    ['a name of a coding with a space', ['Transfer-Encoding : chunked']],
  ])('is not part of a valid request with %s (RFC 9112, 6.3)', async (_, fields) => {
    const text = head('POST', targets.basic, `Authorization: ${BASIC}`, JSON_TYPE, ...fields);
    expect((await bench().send(`${text}{}`, PAUSE)).status).toBe(400);
  });

  it.each([
    ['xchunked', 'Transfer-Encoding: xchunked'],
    ['chunked before another coding', 'Transfer-Encoding: chunked, gzip'],
  ])('is rejected with an unsupported transfer coding: %s (RFC 9112, 6.1)', async (_, field) => {
    const text = head('POST', targets.basic, `Authorization: ${BASIC}`, JSON_TYPE, field);
    expect((await bench().send(`${text}{}`, PAUSE)).status).toBe(501);
  });

  it('provides no credentials in its trailer fields', async () => {
    const fields = ['Transfer-Encoding: chunked', 'Trailer: Authorization', JSON_TYPE, 'Connection: close'];
    const text = `${head('POST', targets.basic, ...fields)}2\r\n{}\r\n0\r\nAuthorization: ${BASIC}\r\n\r\n`;
    expect((await bench().send(text)).status).toBe(401);
  });

  it('authenticates nobody for the next request of the connection', async () => {
    const first = head('GET', targets.basic, `Authorization: ${BASIC}`);
    const second = head('GET', targets.basic, 'Connection: close');
    const answer = await bench().send(first + second);
    expect(answer.status).toBe(200);
    expect(answer.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401']);
  });
});
