import { Readable } from 'node:stream';
import { Response, type MaybePromise, type Request } from '../../../src/framework';
import { startHandler, type HandlerServer } from '../../factories/handler-server';
import { RawConnection } from '../../factories/raw-connection';
import { sendRaw, type RawAnswer } from '../../factories/raw-http';

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

describe('What Node itself would refuse with a bare answer is a problem', () => {
  it('of status 431 for a field section of 64 KB', async () => {
    const bytes = `GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(65_536)}\r\n\r\n`;
    expectProblem(await sendRaw(server.origin, bytes), 431);
  });

  it.each([
    ['no HTTP at all', 'hello there\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a method that is none', 'G@T / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a field name with a space', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
    ['two lengths', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a length that is no number', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: many\r\n\r\n'],
    [
      'length and chunks',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('of status 400 for %s', async (_, bytes) => {
    expectProblem(await sendRaw(server.origin, bytes), 400);
  });

  it('and the connection ends with it', async () => {
    const client = await RawConnection.open(server.origin);
    client.write('nonsense\r\n\r\n');
    await client.untilClosed();
    expect(client.received).toContain('Connection: close');
  });

  it('of status 400 for a request of HTTP/1.1 without a Host field', async () => {
    const refused = await sendRaw(server.origin, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    expectProblem(refused, 400);
    expect(refused.body).toContain('The request has no Host field (RFC 9112, 3.2).');
  });

  it('which a request of HTTP/1.0 does not need', async () => {
    expect(await sendRaw(server.origin, 'GET / HTTP/1.0\r\n\r\n')).toMatchObject({
      status: 200,
      body: 'fine',
    });
  });

  it('of status 417 for an expectation that cannot be met', async () => {
    const bytes = 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n';
    const refused = await sendRaw(server.origin, bytes);
    expectProblem(refused, 417);
    expect(refused.body).toContain('The expectation \\"200-ok\\" cannot be met.');
  });
});

describe('Garbage behind a good request on one connection', () => {
  const good = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

  it('does not get into an answer that is on its way', async () => {
    answer = (): Response => new Response(200, Readable.from(slowly(5)));
    const client = await RawConnection.open(server.origin);
    client.write(good);
    await client.until(/part 1/);
    client.write('nonsense\r\n\r\n');
    await client.untilClosed();
    expect(client.received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(client.received).not.toContain('problem+json');
  });

  it('is not taken for the answer to one that still waits for its own', async () => {
    answer = async (): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return new Response(200, 'fine');
    };
    const client = await RawConnection.open(server.origin);
    client.write(good + good + 'nonsense\r\n\r\n');
    await client.untilClosed();
    expect(client.received).toBe('');
  });

  it('is answered behind the answer to the good one, when that is sent already', async () => {
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
