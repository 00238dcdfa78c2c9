import { Response } from '../../../src/framework';
import { startHandler, type HandlerServer } from '../../factories/http/handler-server';
import { RawConnection } from '../../factories/http/raw-connection';
import { sendRaw } from '../../factories/http/raw-http';

const LIMIT = 1_000;
let server: HandlerServer;
/** The result of reading the last body: its length, or the error. */
let outcome: Promise<unknown>;
/** Lets the handler start reading. */
let go: () => void;
let gate: Promise<void>;

beforeAll(async () => {
  server = await startHandler(async (request) => {
    await gate;
    const reading = request.read(LIMIT);
    outcome = reading.then(
      ({ length }) => length,
      (error: unknown) => error,
    );
    return new Response(200, await reading);
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  gate = Promise.resolve();
  outcome = Promise.resolve();
});

const head = (...fields: readonly string[]): string =>
  ['POST / HTTP/1.1', 'Host: localhost', ...fields, '', ''].join('\r\n');

describe('A body', () => {
  it('is read whole, with Content-Length', async () => {
    const answer = await fetch(server.origin, { method: 'POST', body: 'größe' });
    expect(await answer.text()).toBe('größe');
  });

  it('is read whole, in chunks', async () => {
    const { body } = await sendRaw(
      server.origin,
      `${head('Transfer-Encoding: chunked', 'Connection: close')}3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n`,
    );
    expect(body).toBe('abcdefg');
  });

  it('may be empty', async () => {
    const answer = await fetch(server.origin, { method: 'POST' });
    expect(await answer.text()).toBe('');
  });

  it('may be as long as the limit', async () => {
    const answer = await fetch(server.origin, { method: 'POST', body: 'x'.repeat(LIMIT) });
    expect((await answer.text()).length).toBe(LIMIT);
  });
});

describe('The body of a request', () => {
  let atOnce: HandlerServer;

  beforeAll(async () => {
    atOnce = await startHandler((request) => {
      const body = request.readBody(LIMIT);
      const text = Buffer.isBuffer(body) ? `at once: ${String(body)}` : 'later';
      const ended = new Promise<void>((resolve) => request.message.once('end', resolve));
      return Promise.all([body, ended]).then(() => new Response(200, `${text};`));
    });
  });
  afterAll(() => atOnce.stop());

  it('is read without a promise if it arrives with the head, also on a persistent connection', async () => {
    const client = await RawConnection.open(atOnce.origin);
    client.write(`${head('Content-Length: 3')}abc${head('Content-Length: 2')}de`);
    await client.until(/at once: abc;[^]*at once: de;$/);
    client.write(`${head('Content-Length: 1', 'Connection: close')}f`);
    await client.until(/at once: f;$/);
    await client.untilClosed();
  });

  it.each([
    ['arrives later', [head('Content-Length: 3', 'Connection: close'), 'abc']],
    ['arrives in parts', [`${head('Content-Length: 3', 'Connection: close')}a`, 'bc']],
    ['is chunked', [`${head('Transfer-Encoding: chunked', 'Connection: close')}3\r\nabc\r\n0\r\n\r\n`]],
    ['is announced', [`${head('Content-Length: 3', 'Expect: 100-continue', 'Connection: close')}abc`]],
  ])('is awaited if it %s', async (_, parts) => {
    const client = await RawConnection.open(atOnce.origin);
    for (const part of parts) {
      client.write(part);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await client.until(/HTTP\/1\.1 200 OK[^]*later;$/);
  });
});

describe('A body beyond the limit', () => {
  it('is rejected by its Content-Length before any of it arrives', async () => {
    const client = await RawConnection.open(server.origin);
    client.write(head(`Content-Length: ${LIMIT + 1}`));
    await client.until(/"status":413,"detail":"The body exceeds the limit of 1000 bytes\."/);
    expect(client.received).toMatch(/^HTTP\/1\.1 413 /);
    expect(client.received).toContain('Content-Type: application/problem+json');
    client.destroy();
  });

  it('is rejected if it arrives with the head', async () => {
    const client = await RawConnection.open(server.origin);
    client.write(`${head(`Content-Length: ${LIMIT + 1}`)}${'x'.repeat(LIMIT + 1)}`);
    await client.until(/^HTTP\/1\.1 413 /);
    client.write(`${head('Content-Length: 3', 'Connection: close')}abc`);
    await client.until(/HTTP\/1\.1 200 OK[^]*abc$/);
  });

  it('is rejected as soon as its chunks exceed the limit', async () => {
    const client = await RawConnection.open(server.origin);
    client.write(`${head('Transfer-Encoding: chunked')}3e8\r\n${'x'.repeat(LIMIT)}\r\n`);
    client.write('1\r\nx\r\n');
    await client.until(/^HTTP\/1\.1 413 /);
    client.destroy();
  });

  it('is discarded while the client is still sending, so that it receives the response', async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = await fetch(server.origin, { method: 'POST', body: Buffer.alloc(8 * 1024 * 1024) });
      expect(answer.status).toBe(413);
    }
  });

  it('is discarded only for a limited time', async () => {
    const client = await RawConnection.open(server.origin);
    client.write(head(`Content-Length: ${LIMIT * 1_000_000}`));
    await client.until(/^HTTP\/1\.1 413 /);
    const sending = setInterval(() => client.write('x'.repeat(100)), 50);
    await client.untilClosed();
    clearInterval(sending);
  });
});

describe('A client that disconnects in the middle of a body', () => {
  it.each([
    ['with Content-Length', `${head('Content-Length: 100')}abc`],
    ['in chunks', `${head('Transfer-Encoding: chunked')}64\r\nabc`],
  ])('makes read() reject with a problem of status 400: %s', async (_, bytes) => {
    const client = await RawConnection.open(server.origin);
    let started = (): void => undefined;
    gate = new Promise((resolve) => (started = resolve));
    client.write(bytes);
    started();
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.destroy();
    expect(await outcome).toMatchObject({
      name: 'Problem',
      status: 400,
      detail: 'The body could not be read: the connection ended before it was complete.',
    });
  });

  it.each([
    ['with Content-Length', `${head('Content-Length: 100')}abc`],
    ['in chunks', `${head('Transfer-Encoding: chunked')}64\r\nabc`],
  ])('receives 400 with the reason if it still reads: %s', async (_, bytes) => {
    const client = await RawConnection.open(server.origin);
    client.write(bytes);
    client.end();
    await client.untilClosed();
    expect(client.received).toMatch(/^HTTP\/1\.1 400 /);
    expect(client.received).toContain(
      'The body could not be read: the connection ended before it was complete.',
    );
  });

  it('gets one response of status 400 if it sends a malformed chunk', async () => {
    const answer = await sendRaw(server.origin, `${head('Transfer-Encoding: chunked')}3\r\nabc\r\nzz\r\n`);
    expect(answer.status).toBe(400);
    expect(answer.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 400 });
  });
});

describe('A client that waits for "100 Continue"', () => {
  const expecting = head('Content-Length: 3', 'Expect: 100-continue', 'Connection: close');

  beforeEach(() => {
    gate = new Promise((resolve) => (go = resolve));
  });

  it('receives it when the body is read, not before', async () => {
    const client = await RawConnection.open(server.origin);
    client.write(expecting);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(client.received).toBe('');
    go();
    await client.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    client.write('abc');
    await client.until(/HTTP\/1\.1 200 OK[^]*abc$/);
  });

  it.each([
    '100-continue, 100-continue',
    '100-Continue ,\t100-CONTINUE',
    '100-continue\r\nExpect: 100-continue',
  ])('receives it for the list %j', async (field) => {
    go();
    const client = await RawConnection.open(server.origin);
    client.write(head('Content-Length: 3', `Expect: ${field}`, 'Connection: close'));
    await client.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    client.write('abc');
    await client.until(/HTTP\/1\.1 200 OK[^]*abc$/);
  });

  it('receives no interim response in HTTP/1.0', async () => {
    go();
    const bytes = 'POST / HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc';
    expect((await sendRaw(server.origin, bytes)).text).toMatch(/^HTTP\/1\.1 200 OK[^]*abc$/);
  });

  it('receives 413 instead if its body is too long, and the connection closes', async () => {
    const client = await RawConnection.open(server.origin);
    go();
    client.write(head(`Content-Length: ${LIMIT + 1}`, 'Expect: 100-continue'));
    await client.until(/^HTTP\/1\.1 413 /);
    expect(client.received).not.toContain('100 Continue');
    await client.untilClosed();
  });
});
