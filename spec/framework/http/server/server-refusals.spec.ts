import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Response, type MaybePromise, type Request } from '../../../../src/framework';
import { startHandler, type HandlerServer } from '../../../factories/http/handler-server';
import { RawConnection } from '../../../factories/http/raw-connection';
import { sendRaw, type RawAnswer } from '../../../factories/http/raw-http';

let answer: (request: Request) => MaybePromise<Response>;
let server: HandlerServer;
beforeAll(async () => (server = await startHandler((request) => answer(request))));
afterAll(() => server.stop());
beforeEach(() => (answer = (): Response => new Response(200, 'fine')));

function expectProblem({ fields, body, text }: RawAnswer, status: number): void {
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(fields).toContainEqual(['content-type', 'application/problem+json']);
  expect(fields).toContainEqual(['content-length', String(Buffer.byteLength(body))]);
  expect(JSON.parse(body)).toMatchObject({
    type: expect.stringMatching(/^https:/) as unknown,
    title: expect.any(String) as unknown,
    status,
    detail: expect.any(String) as unknown,
  });
}

describe('A request that the server rejects', () => {
  it('receives 431 for a field section of 64 KB', async () => {
    const bytes = `GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(65_536)}\r\n\r\n`;
    const refused = await sendRaw(server.origin, bytes);
    expectProblem(refused, 431);
    expect(refused.body).toContain('The header section exceeds the limit of 16384 bytes.');
  });

  it.each(['FOO', 'get', 'GETX', 'DESCRIBE', 'M-SEARCHES'])(
    'receives 501 for the method %s, which is unknown',
    async (method) => {
      const refused = await sendRaw(server.origin, `${method} / HTTP/1.1\r\nHost: a\r\n\r\n`);
      expectProblem(refused, 501);
      expect(refused.body).toContain(`The method ${method} is not supported by this server.`);
    },
  );

  it('receives 501 for an unknown method after another request', async () => {
    const client = await RawConnection.open(server.origin);
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi');
    await client.until(/fine/);
    client.write('FOO / HTTP/1.1\r\nHost: a\r\n\r\n');
    await client.untilClosed();
    expect(client.received).toMatch(/fineHTTP\/1\.1 501 Not Implemented/);
  });

  it('receives 501 for CONNECT, and loses its connection', async () => {
    const client = await RawConnection.open(server.origin);
    client.write('CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n');
    await client.untilClosed();
    expect(client.received).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n/);
    expect(client.received).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
    expect(client.received).toContain('The method CONNECT is not supported by this server.');
  });

  it('receives 501 for CONNECT after the response to the request before it', async () => {
    answer = async (): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return new Response(200, 'fine');
    };
    const client = await RawConnection.open(server.origin);
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n');
    await client.untilClosed();
    expect(client.received).toMatch(/^HTTP\/1\.1 200 OK[^]*fineHTTP\/1\.1 501 /);
  });

  const LENGTH = 'Content-Length is not a number of bytes (RFC 9110, 8.6).';
  const BOTH = 'A request must not have both Content-Length and Transfer-Encoding (RFC 9112, 6.3).';
  const FIELD = 'A header field has an invalid name or value (RFC 9110, 5.1 and 5.5).';

  it.each([
    ['Content-Length: many', LENGTH],
    ['Content-Length: -1', LENGTH],
    [
      'Content-Length: 1\r\nContent-Length: 2',
      'The request has more than one Content-Length field line (RFC 9110, 8.6).',
    ],
    ['Content-Length: 1\r\nTransfer-Encoding: chunked', BOTH],
    ['Transfer-Encoding: chunked\r\nContent-Length: 1', BOTH],
    ['Two words: 1', FIELD],
    ['Bell: \x07', FIELD],
    [' folded', FIELD],
    ['X: a\nY: b', 'The request is not well-formed HTTP.'],
  ])('receives the reason for rejecting the fields %j', async (fields, reason) => {
    const refused = await sendRaw(server.origin, `GET / HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n`);
    expectProblem(refused, 400);
    expect(refused.body).toContain(reason);
  });

  it.each([
    ['bytes that are not HTTP', 'hello there\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an invalid method', 'G@T / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a field name with a space', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
    ['two lengths', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a length that is not a number', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: many\r\n\r\n'],
    [
      'length and chunks',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('receives 400 for %s', async (_, bytes) => {
    expectProblem(await sendRaw(server.origin, bytes), 400);
  });

  it('receives 400 for a header section without its end', async () => {
    const client = await RawConnection.open(server.origin);
    client.write('GET / HTTP/1.1\r\nHost: a\r\n');
    client.end();
    await client.untilClosed();
    expect(client.received).toMatch(/^HTTP\/1\.1 400 /);
    expect(client.received).toContain('The connection ended before the header section was complete.');
  });

  it('loses its connection after the response', async () => {
    const client = await RawConnection.open(server.origin);
    client.write('nonsense\r\n\r\n');
    await client.untilClosed();
    expect(client.received).toContain('Connection: close');
  });

  it.each([
    ['bytes beyond ASCII', '/caf\xc3\xa9'],
    ['such bytes in its query', '/?name=caf\xc3\xa9'],
    ['no slash', 'caf'],
  ])('receives 400 for a target with %s, which has to be encoded', async (_, target) => {
    const bytes = Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, 'latin1');
    const refused = await sendRaw(server.origin, bytes);
    expectProblem(refused, 400);
    expect(refused.body).toContain('has a character that must be percent-encoded (RFC 3986, 2.1).');
  });

  it.each(['http:///', 'http://user@/', 'http://a:b/', 'http://[::1/', 'http://a:80:80/'])(
    'receives 400 for the target %s, which names no host',
    async (target) => {
      // The first one has a host that is known to be valid.
      await sendRaw(server.origin, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const refused = await sendRaw(server.origin, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expectProblem(refused, 400);
      expect(refused.body).toContain('does not name a host name or address with an optional port');
    },
  );

  it.each(['http://me@a:80/', 'http://me:secret@a/', 'HTTPS://@a?q', 'ws://me@a/'])(
    'receives 400 for the target %s, which has credentials',
    async (target) => {
      const refused = await sendRaw(server.origin, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expectProblem(refused, 400);
      expect(refused.body).toContain(
        'The request target has userinfo (RFC 9110, 4.2.4). Send credentials in the Authorization field.',
      );
      expect(refused.body).not.toContain('secret');
    },
  );

  it.each(['http://a/', 'http://a/@b', 'http://a?me@b', 'http://[::1]:80', '/me@a', '*'])(
    'receives 200 for the target %s',
    async (target) => {
      const bytes = `GET ${target} HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n`;
      expect((await sendRaw(server.origin, bytes)).status).toBe(200);
    },
  );

  it.each([
    ['Connection: close', '1.1'],
    ['X: a', '1.0'],
    ['Transfer-Encoding: gzip', '1.1'],
  ])(
    'receives its response, though it sends a large body that is not read, on a connection that ends (%s)',
    async (field, version) => {
      const { hostname, port } = new URL(server.origin);
      const socket = connect(Number(port), hostname);
      const head = `POST / HTTP/${version}\r\nHost: a\r\n${field}\r\n`;
      const isChunked = field.startsWith('Transfer-Encoding');
      socket.write(`${head}${isChunked ? '' : 'Content-Length: 16777216\r\n'}\r\n`);
      // A client that reads when it has sent everything.
      await new Promise((resolve) => socket.write(Buffer.alloc(16_777_216), resolve));
      const received = await text(socket);
      expect(received).toMatch(isChunked ? /^HTTP\/1\.1 501 / : /^HTTP\/1\.1 200 [^]*fine$/);
    },
  );

  it('receives 400 for HTTP/1.1 without a Host field', async () => {
    const refused = await sendRaw(server.origin, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    expectProblem(refused, 400);
    expect(refused.body).toContain('The request has no Host field (RFC 9112, 3.2).');
  });

  it('receives 200 for HTTP/1.0 without a Host field', async () => {
    expect(await sendRaw(server.origin, 'GET / HTTP/1.0\r\n\r\n')).toMatchObject({
      status: 200,
      body: 'fine',
    });
  });

  it.each([
    ['is empty', 'Host:'],
    ['is repeated', 'Host: a\r\nHost: a'],
    ['is empty, in HTTP/1.0', 'Host:', '1.0'],
    ['is repeated, in HTTP/1.0', 'Host: a\r\nhost: b', '1.0'],
    ['has a space', 'Host: a b'],
    ['names a user', 'Host: me@a'],
    ['has a path', 'Host: a/b'],
    ['is two hosts', 'Host: a, b'],
  ])('receives 400 for a Host field that %s', async (_, host, version = '1.1') => {
    const refused = await sendRaw(server.origin, `GET / HTTP/${version}\r\n${host}\r\n\r\n`);
    expectProblem(refused, 400);
    expect(refused.body).toMatch(/The (request has more than one )?Host field/);
    expect(refused.fields).toContainEqual(['connection', 'close']);
  });

  it.each(['a', 'a:80', 'a:', '127.0.0.1:8080', '[::1]:8080', 'my_host.example', 'xn--mnchen-3ya.de'])(
    'receives 200 for the Host field %s',
    async (host) => {
      const bytes = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(server.origin, bytes)).toMatchObject({ status: 200, body: 'fine' });
    },
  );

  it.each([
    ['gzip', 'Transfer-Encoding: gzip'],
    ['gzip, chunked', 'Transfer-Encoding: gzip, chunked'],
    ['gzip, chunked in two lines', 'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked'],
    ['chunked, gzip', 'Transfer-Encoding: chunked, gzip'],
    ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
    ['identity', 'Transfer-Encoding: identity'],
    ['nothing', 'Transfer-Encoding: '],
  ])('receives 501 for the transfer coding %s', async (_, field) => {
    const bytes = `POST / HTTP/1.1\r\nHost: a\r\n${field}\r\n\r\n5\r\nhello\r\n0\r\n\r\n`;
    const refused = await sendRaw(server.origin, bytes);
    expectProblem(refused, 501);
    expect(refused.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it.each(['chunked', 'Chunked'])('receives 200 for the transfer coding %s', async (coding) => {
    answer = async (request): Promise<Response> => new Response(200, await request.read(100));
    const bytes = `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: ${coding}\r\n\r\n5\r\nhello\r\n0\r\n\r\n`;
    expect(await sendRaw(server.origin, bytes)).toMatchObject({ status: 200, body: 'hello' });
  });

  it('receives 400 for a transfer coding in HTTP/1.0', async () => {
    const bytes = 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expectProblem(await sendRaw(server.origin, bytes), 400);
  });

  it.each([
    ['HTTP/0.9', 'GET /\r\n\r\n'],
    ['HTTP/0.9 by its number', 'GET / HTTP/0.9\r\n\r\n'],
    ['HTTP/1.2', 'GET / HTTP/1.2\r\nHost: a\r\n\r\n'],
    ['HTTP/2 in text', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/3 in text', 'GET / HTTP/3.0\r\nHost: a\r\n\r\n'],
  ])('receives 505 for %s', async (_, bytes) => {
    expectProblem(await sendRaw(server.origin, bytes), 505);
  });

  it.each([
    ['a line feed only', '\nHost: a\n\n'],
    ['a space', ' \r\nHost: a\r\n\r\n'],
  ])('receives 400 for a version that is followed by %s', async (_, rest) => {
    const refused = await sendRaw(server.origin, `GET / HTTP/1.1${rest}`);
    expectProblem(refused, 400);
    expect(refused.body).toContain('The request line does not end with CR LF');
  });

  it('receives 200 for an empty list of expectations', async () => {
    for (const field of ['', ',', ' , ,']) {
      const bytes = `GET / HTTP/1.1\r\nHost: a\r\nExpect:${field}\r\nConnection: close\r\n\r\n`;
      expect((await sendRaw(server.origin, bytes)).status).toBe(200);
    }
  });

  it('receives 417 for an unsupported expectation', async () => {
    const bytes = 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n';
    const refused = await sendRaw(server.origin, bytes);
    expectProblem(refused, 417);
    expect(refused.body).toContain('Unsupported expectation \\"200-ok\\". Supported: 100-continue.');
  });

  it('receives 400 and loses its connection for ambiguous fields with an unsupported expectation', async () => {
    const refused = await sendRaw(server.origin, 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nExpect: x\r\n\r\n');
    expectProblem(refused, 400);
    expect(refused.fields).toContainEqual(['connection', 'close']);
  });

  it('receives one response for a malformed body with an unsupported expectation', async () => {
    const client = await RawConnection.open(server.origin);
    client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: x\r\n\r\nnonsense\r\n');
    await client.untilClosed();
    expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 417']);
  });
});

describe('Malformed bytes after a valid request on the same connection', () => {
  const good = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

  it('do not interrupt a response in progress', async () => {
    answer = (): Response => new Response(200, Readable.from(slowly(5)));
    const client = await RawConnection.open(server.origin);
    client.write(good);
    await client.until(/part 1/);
    client.write('nonsense\r\n\r\n');
    await client.untilClosed();
    expect(client.received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(client.received).not.toContain('problem+json');
  });

  it('get no response while requests wait for theirs, and close the connection after these', async () => {
    answer = async (): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return new Response(200, 'fine');
    };
    const client = await RawConnection.open(server.origin);
    client.write(good + good + 'nonsense\r\n\r\n');
    await client.untilClosed();
    expect(client.received.match(/HTTP\/1\.1 \d+|Connection: [a-z-]+|fine/g)).toEqual([
      'HTTP/1.1 200',
      'Connection: keep-alive',
      'fine',
      'HTTP/1.1 200',
      'Connection: close',
      'fine',
    ]);
  });

  it('receive 400 after the response to the valid request', async () => {
    const client = await RawConnection.open(server.origin);
    client.write(good);
    await client.until(/fine$/);
    client.write('nonsense\r\n\r\n');
    await client.untilClosed();
    expect(client.received).toMatch(/^HTTP\/1\.1 200 OK[^]*fineHTTP\/1\.1 400 Bad Request/);
  });
});

async function* slowly(parts: number): AsyncGenerator<string> {
  for (let part = 1; part <= parts; part++) {
    yield `part ${part}`;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
