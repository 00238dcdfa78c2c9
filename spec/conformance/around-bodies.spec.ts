import { useBench } from './bench';
import { digest } from './digest-client';
import { targets } from './guarded-platform';

const JSON_TYPE = 'Content-Type: application/json';
const BASIC = 'Basic Z3VpZGU6ZXhwbG9yZQ==';

/** A request whose connection the server may keep, up to its last field line. */
function head(method: string, target: string, ...fields: readonly string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...fields, '', ''].join('\r\n');
}

/** So long, in milliseconds, a second answer is waited for on a connection that the server keeps. */
const PAUSE = 80;

/** How many answers stand in a text. */
function answersIn(text: string): number {
  return text.split('HTTP/1.1 ').length - 1;
}

describe.each([
  ['no credentials', []],
  ['malformed credentials', ['Authorization: Digest']],
  ['wrong credentials', ['Authorization: Basic bm9ib2R5Og==']],
  ['two credentials', ['Authorization: Digest', 'Authorization: Digest']],
])('A body that is not sent, with %s', (_, authorization) => {
  const bench = useBench();

  it.each([
    ['Expect: 100-continue', ['Expect: 100-continue', 'Content-Length: 1000']],
    ['Expect in upper case', ['Expect: 100-CONTINUE', 'Content-Length: 1000']],
    ['Expect and chunks', ['Expect: 100-continue', 'Transfer-Encoding: chunked']],
    ['a length', ['Content-Length: 1000']],
    ['a length beyond every limit', ['Content-Length: 999999999999']],
    ['chunks', ['Transfer-Encoding: chunked']],
    ['a type that is not taken', ['Content-Length: 1000', 'Content-Type: image/png']],
  ])('is not waited for: %s', async (__, fields) => {
    const type = fields.some((field) => field.startsWith('Content-Type')) ? [] : [JSON_TYPE];
    const answers = await Promise.all(
      [targets.basic, targets.digest].map((target) =>
        bench().send(head('POST', target, ...authorization, ...fields, ...type), PAUSE),
      ),
    );
    // A 100 would have been the first status.
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(answers.map(({ text }) => answersIn(text))).toEqual([1, 1]);
  });

  it('is not waited for after a part of it', async () => {
    const half = `${head('POST', targets.digest, ...authorization, JSON_TYPE, 'Content-Length: 1000')}{"country`;
    const answer = await bench().send(half, PAUSE);
    expect(answer.status).toBe(401);
    const chunk = `${head('POST', targets.digest, ...authorization, 'Transfer-Encoding: chunked')}5\r\n{"cou`;
    expect((await bench().send(chunk, PAUSE)).status).toBe(401);
  });

  it('is refused in the same bytes when it was sent', async () => {
    const fields = [JSON_TYPE, 'Content-Length: 2'];
    const options = { target: targets.digest, method: 'POST' };
    const sent = await bench().ask({ ...options, fields: [...authorization, ...fields], body: '{}' });
    bench().expectRefusal(sent);
    const broken = await bench().ask({ ...options, fields: [...authorization, ...fields], body: '{x' });
    bench().expectRefusal(broken);
  });

  it('is never taken for another request', async () => {
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
    expect(answersIn(answer.text)).toBe(1);
  });
});

describe('A body that cannot be read, with a request that is refused', () => {
  const bench = useBench();

  it.each([
    ['a chunk without length', ['Transfer-Encoding: chunked'], 'nonsense\r\n'],
    ['a chunk that is too long', ['Transfer-Encoding: chunked'], '1\r\nxyz\r\n0\r\n\r\n'],
    ['a coding that is none', ['Transfer-Encoding: identity'], '{}'],
  ])('gets one answer: %s', async (_, fields, body) => {
    const text = head('POST', targets.digest, ...fields, JSON_TYPE, 'Connection: close') + body;
    const answer = await bench().send(text, PAUSE);
    // Fields and body may have been read by then, or not: both are right.
    expect([400, 401, 501]).toContain(answer.status);
    expect(answersIn(answer.text)).toBe(1);
  });
});

describe('A body with credentials', () => {
  const bench = useBench();

  it('is asked for when it is expected, and only then', async () => {
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

  it('is not asked for by an expectation that nobody knows', async () => {
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
  ])('is no request with %s (RFC 9112, 6.3)', async (_, fields) => {
    const text = head('POST', targets.basic, `Authorization: ${BASIC}`, JSON_TYPE, ...fields);
    expect((await bench().send(`${text}{}`, PAUSE)).status).toBe(400);
  });

  it.each([
    ['xchunked', 'Transfer-Encoding: xchunked'],
    ['chunked before another coding', 'Transfer-Encoding: chunked, gzip'],
  ])('is refused with a transfer coding that is not supported: %s (RFC 9112, 6.1)', async (_, field) => {
    const text = head('POST', targets.basic, `Authorization: ${BASIC}`, JSON_TYPE, field);
    expect((await bench().send(`${text}{}`, PAUSE)).status).toBe(501);
  });

  it('takes no credentials from the fields behind the last chunk', async () => {
    const fields = ['Transfer-Encoding: chunked', 'Trailer: Authorization', JSON_TYPE, 'Connection: close'];
    const text = `${head('POST', targets.basic, ...fields)}2\r\n{}\r\n0\r\nAuthorization: ${BASIC}\r\n\r\n`;
    expect((await bench().send(text)).status).toBe(401);
  });

  it('signs nobody in for the next request of the connection', async () => {
    const first = head('GET', targets.basic, `Authorization: ${BASIC}`);
    const second = head('GET', targets.basic, 'Connection: close');
    const answer = await bench().send(first + second);
    expect(answer.status).toBe(200);
    expect(answer.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401']);
  });
});
