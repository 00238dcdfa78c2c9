import { setTimeout as pause } from 'node:timers/promises';
import { Response, Server, type RequestHandler } from '../../../../src/framework';
import {
  DEFAULT_LIMITS,
  type ConnectionLimits,
} from '../../../../src/framework/http/limits/connection-limits';
import { Refusals } from '../../../../src/framework/http/limits/refusals';
import { refusalOf, sentStatus, type RequestRefusal } from '../../../../src/framework/http/refused-requests';
import { FunctionHandler, type Answer } from '../../../factories/http/handler-server';
import { RawConnection } from '../../../factories/http/raw-connection';

/** Reads bodies, and has what was sent when each response closed: what the handler sends later does not arrive. */
class ReadingHandler extends FunctionHandler implements RequestHandler {
  readonly refusals = new Refusals();
  readonly limits: ConnectionLimits;
  readonly closed: { readonly status: number | null; readonly refusal: RequestRefusal | undefined }[] = [];

  constructor(limits: Partial<ConnectionLimits>) {
    const read: Answer = async (request, outgoing) => {
      outgoing.once('close', () =>
        this.closed.push({ status: sentStatus(outgoing), refusal: refusalOf(outgoing) }),
      );
      return new Response(200, await request.read(1_000));
    };
    super(read);
    this.limits = { ...DEFAULT_LIMITS, requestTimeout: 0, ...limits };
  }
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});

async function start(
  limits: Partial<ConnectionLimits> = {},
): Promise<{ readonly origin: string; readonly handler: ReadingHandler }> {
  const handler = new ReadingHandler(limits);
  const server = new Server(handler);
  servers.push(server);
  const { port } = await server.listen('127.0.0.1', 0);
  return { origin: `http://127.0.0.1:${port}`, handler };
}

const causesOf = ({ refusals }: ReadingHandler): object => Object.fromEntries(refusals.totals());
const POST = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n';
const CHUNKED = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Sends a refused request, whose count shows that the server has seen the connections before it. */
async function sendNonsense(origin: string): Promise<void> {
  const client = await RawConnection.open(origin);
  client.write('nonsense\r\n\r\n');
  await client.untilClosed();
}

describe('The cause of a refusal', () => {
  const disconnects = [
    ['a request line', 'POST / HT', false],
    ['a header section', 'POST / HTTP/1.1\r\nHost: a\r\nX-Un', false],
    ['a body', `${POST}some`, true],
    ['a body before its first byte', POST, true],
    ['a chunk', `${CHUNKED}10\r\nsome`, true],
  ] as const;

  it.each(disconnects)(
    'is none for a client that disconnects in the middle of %s',
    async (_, bytes, reads) => {
      const { origin, handler } = await start();
      const [ending, resetting] = [await RawConnection.open(origin), await RawConnection.open(origin)];
      for (const client of [ending, resetting]) client.write(bytes);
      await pause(100);
      ending.end();
      await ending.untilClosed();
      resetting.reset();
      await pause(100);
      await sendNonsense(origin);
      expect(causesOf(handler)).toEqual({ malformed: 1 });
      const none = { status: null, refusal: undefined };
      expect(handler.closed).toEqual(reads ? [none, none] : []);
    },
  );

  it.each([
    ['inactivity_timeout', { inactivityTimeout: 1 }],
    ['request_timeout', { requestTimeout: 1 }],
  ])('is only %s for a body that does not arrive in time', async (cause, limits) => {
    const { origin, handler } = await start(limits);
    const client = await RawConnection.open(origin);
    client.write(`${POST}some`);
    await client.untilClosed(18_000);
    expect(client.received).toContain('HTTP/1.1 408 ');
    expect(causesOf(handler)).toEqual({ [cause]: 1 });
  });

  it.each([
    ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
    ['an invalid field', 'GET / HTTP/1.1\r\nHost: a\r\nTwo words: 1\r\n\r\n'],
    ['an invalid chunk', `${CHUNKED}nonsense\r\n`],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
  ])('is malformed for %s', async (_, bytes) => {
    const { origin, handler } = await start();
    const client = await RawConnection.open(origin);
    client.write(bytes);
    await client.untilClosed();
    expect(client.received).toContain('HTTP/1.1 400 ');
    expect(causesOf(handler)).toEqual({ malformed: 1 });
  });

  it.each([
    ['method', 501, 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['transfer coding', 501, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
    ['version', 505, 'GET / HTTP/2.0\r\nHost: a\r\n\r\n'],
  ])('is unsupported for an unknown %s', async (_, status, bytes) => {
    const { origin, handler } = await start();
    const client = await RawConnection.open(origin);
    client.write(bytes);
    await client.untilClosed();
    expect(client.received).toContain(`HTTP/1.1 ${status} `);
    expect(causesOf(handler)).toEqual({ unsupported: 1 });
  });
});

describe('A request that the server ends while it is handled', () => {
  it.each([
    ['for a body that stops', 408, 'request_timeout', `${POST}some`],
    ['for an invalid chunk', 400, undefined, `${CHUNKED}nonsense\r\n`],
  ])('has the response of the server, %s', async (_, status, code, bytes) => {
    const { origin, handler } = await start({ inactivityTimeout: 1 });
    const client = await RawConnection.open(origin);
    client.write(bytes);
    await client.untilClosed();
    while (handler.closed.length === 0) await pause(5);
    const [, body = ''] = client.received.split('\r\n\r\n');
    expect(client.received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(handler.closed).toEqual([{ status, refusal: { status, code, bytes: body.length } }]);
  });

  it('has its own response if the refusal is that of a later request', async () => {
    const { origin, handler } = await start();
    const client = await RawConnection.open(origin);
    client.write(`${POST}${'x'.repeat(100)}`);
    await client.until(/x{100}$/);
    client.write('nonsense\r\n\r\n');
    await client.untilClosed();
    expect(client.received).toContain('HTTP/1.1 400 ');
    expect(handler.closed).toEqual([{ status: 200, refusal: undefined }]);
  });
});
