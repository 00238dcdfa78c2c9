import { abortOf, Response } from '../../../../src/framework';
import { whenClosed } from '../../../../src/framework/http/when-closed';
import { FunctionHandler, startHandler, type HandlerServer } from '../../../factories/http/handler-server';
import { openIdleConnection } from '../../../factories/http/idle-connection';
import { RawConnection } from '../../../factories/http/raw-connection';

const wait = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

interface SlowServer extends HandlerServer {
  /** Resolves with the first request. */
  readonly arrived: Promise<void>;
  /** Lets the requests be answered. */
  respond(): void;
}

/** A server that responds when the test lets it. */
async function slowServer(): Promise<SlowServer> {
  let [arrive, respond] = [(): void => undefined, (): void => undefined];
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (respond = resolve));
  const started = await startHandler(async () => {
    arrive();
    await released;
    return new Response(200, 'done');
  });
  return { ...started, arrived, respond };
}

/** More than the buffers of the system hold, in bytes. */
const UNREAD = 32 * 1024 * 1024;

interface UnreadResponse {
  readonly server: HandlerServer['server'];
  /** Does not read. */
  readonly client: RawConnection;
  /** How the response ended, as `abortOf` says. */
  readonly ended: Promise<string | undefined>;
  /** Whether the request is aborted when the response has ended, by both of its properties. */
  readonly aborted: Promise<readonly boolean[]>;
}

/** A response that the application has ended, and its client has not read. */
async function unreadResponse(): Promise<UnreadResponse> {
  let end: (by: string | undefined) => void;
  const ended = new Promise<string | undefined>((resolve) => (end = resolve));
  let abort: (aborted: readonly boolean[]) => void;
  const aborted = new Promise<readonly boolean[]>((resolve) => (abort = resolve));
  const { origin, server } = await startHandler((received, outgoing) => {
    whenClosed(outgoing, outgoing, (closed) => {
      end(abortOf(closed));
    });
    const { signal } = received;
    outgoing.once('close', () => {
      abort([received.isAborted, signal.aborted]);
    });
    return new Response(200, Buffer.alloc(UNREAD, 'x'));
  });
  const client = await RawConnection.open(origin);
  client.pause();
  client.write(request);
  await wait(300);
  return { server, client, ended, aborted };
}

describe('Closing a server', () => {
  it('lets requests in flight finish, and accepts no new connections', async () => {
    const { origin, server, arrived, respond } = await slowServer();
    const inFlight = fetch(origin);
    await arrived;
    const closed = server.close(3_600);
    await expect(RawConnection.open(origin)).rejects.toThrow('ECONNREFUSED');
    respond();
    expect(await (await inFlight).text()).toBe('done');
    await closed;
  });

  it('disposes of the application after the last response', async () => {
    const { origin, server, handler, arrived, respond } = await slowServer();
    const inFlight = fetch(origin);
    await arrived;
    const closed = server.close(3_600);
    await wait(50);
    expect(handler.disposed).toBe(false);
    respond();
    await inFlight;
    await closed;
    expect(handler.disposed).toBe(true);
  });

  it('does not wait for idle connections', async () => {
    const { origin, server, respond } = await slowServer();
    const client = await RawConnection.open(origin);
    client.write(request);
    respond();
    await client.until(/done$/);
    const idle = await openIdleConnection();
    await server.close(3_600);
    expect(idle.closed).toBe(false);
    await client.untilClosed();
    await idle.stop();
  });

  it('does not wait for connections that become idle after their last response', async () => {
    const { origin, server, arrived, respond } = await slowServer();
    const client = await RawConnection.open(origin);
    client.write(request);
    await arrived;
    const closed = server.close(3_600);
    const idle = await openIdleConnection();
    respond();
    await closed;
    expect(idle.closed).toBe(false);
    await client.until(/done$/);
    await client.untilClosed();
    await idle.stop();
  });

  it('waits for clients that are still reading the last response', async () => {
    const { client, server } = await unreadResponse();
    let isClosed = false;
    const closed = server.close(3_600).then(() => (isClosed = true));
    await wait(500);
    expect([isClosed, client.closed]).toEqual([false, false]);
    client.resume();
    await Promise.all([client.untilClosed(), closed]);
    expect(client.received.split('\r\n\r\n')[1]?.length).toBe(UNREAD);
  });

  it.each([
    ['by the shutdown', 'shutdown', ({ server }: UnreadResponse) => server.close(0.2)],
    [
      'by its client',
      'client',
      ({ client }: UnreadResponse) => {
        client.reset();
        return Promise.resolve();
      },
    ],
  ])('a response of which a part is unsent is not complete when ended %s', async (_, by, end) => {
    const unread = await unreadResponse();
    await end(unread);
    expect(await unread.ended).toBe(by);
    expect(await unread.aborted).toEqual([true, true]);
    unread.client.destroy();
    await unread.server.close(0);
  });

  it('accepts connections during the delay, and closes each after its response', async () => {
    const { origin, server, arrived, respond } = await slowServer();
    const before = await RawConnection.open(origin);
    before.write(request);
    await arrived;
    const closed = server.close(3_600, { drainDelay: 1 });
    expect(server.isDraining).toBe(true);
    const during = await RawConnection.open(origin);
    during.write(request);
    respond();
    for (const client of [before, during]) await client.until(/\r\nConnection: close\r\n[^]*done$/);
    await Promise.all([before.untilClosed(), during.untilClosed(), closed]);
  });

  it('answers a last request of idle connections, and closes those that send none', async () => {
    const { origin, server, respond } = await slowServer();
    const [client, silent] = [await RawConnection.open(origin), await RawConnection.open(origin)];
    respond();
    client.write(request);
    await client.until(/done$/);
    const closed = server.close(3_600, { idleGrace: 1 });
    await expect(RawConnection.open(origin)).rejects.toThrow('ECONNREFUSED');
    client.write(request);
    await client.until(/keep-alive\r\n[^]*done[^]*\r\nConnection: close\r\n[^]*done$/);
    await Promise.all([client.untilClosed(), silent.untilClosed(), closed]);
  });

  it('answers a request that waited for a busy process until idle connections were due', async () => {
    const { origin, server, respond } = await slowServer();
    const client = await RawConnection.open(origin);
    respond();
    client.write(request);
    await client.until(/done$/);
    const closed = server.close(3_600);
    client.write(request);
    // Timers run before sockets are read.
    for (const end = performance.now() + 200; performance.now() < end;);
    await client.until(/done[^]*\r\nConnection: close\r\n[^]*done$/);
    await Promise.all([client.untilClosed(), closed]);
  });

  it('answers on a connection that waited for a busy process until the listener was to close', async () => {
    const { origin, server, respond } = await slowServer();
    respond();
    const closed = server.close(3_600, { drainDelay: 0.05 });
    const opened = RawConnection.open(origin);
    // Node connects after this turn.
    await new Promise((done) => process.nextTick(done));
    // Timers run before connections are accepted.
    for (const end = performance.now() + 200; performance.now() < end;);
    const client = await opened;
    client.write(request);
    await client.until(/\r\nConnection: close\r\n[^]*done$/);
    await Promise.all([client.untilClosed(), closed]);
  });

  it('destroys connections with open requests after the timeout', async () => {
    const { origin, server, arrived } = await slowServer();
    const failed = expect(fetch(origin)).rejects.toThrow();
    await arrived;
    const began = performance.now();
    await server.close(1);
    expect(performance.now() - began).toBeGreaterThan(900);
    await failed;
  });

  it('destroys connections with a CONNECT behind an open request after the timeout', async () => {
    const { origin, server, arrived } = await slowServer();
    const client = await RawConnection.open(origin);
    client.write(`${request}CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n`);
    await arrived;
    await wait(100);
    const closed = server.close(0.2).then(() => 'closed');
    const outcome = await Promise.race([closed, wait(2_000)]);
    client.destroy();
    expect(outcome).toBe('closed');
  });
});

describe('Swapping the application', () => {
  it('loses no request: each gets a response from the old or the new one', async () => {
    const { origin, server, stop } = await startHandler(async () => {
      await wait(5);
      return new Response(200, '0');
    });
    const answers: string[] = [];
    let asking = true;
    const ask = async (): Promise<void> => {
      while (asking) answers.push(await (await fetch(origin)).text());
    };
    const clients = Array.from({ length: 8 }, () => ask());
    for (let generation = 1; generation <= 20; generation++) {
      await wait(10);
      await server.swap(new FunctionHandler(() => new Response(200, String(generation))));
    }
    await wait(20);
    asking = false;
    await Promise.all(clients);
    expect(answers.every((answer) => /^\d+$/.test(answer))).toBe(true);
    expect(new Set(answers).size).toBeGreaterThan(5);
    expect(answers.at(-1)).toBe('20');
    await stop();
  });

  it('passes requests on open connections to the new one', async () => {
    const { origin, server, stop, handler } = await startHandler(() => new Response(200, 'old'));
    const client = await RawConnection.open(origin);
    client.write(request);
    await client.until(/old$/);
    const next = new FunctionHandler(() => new Response(200, 'new'));
    await server.swap(next);
    expect([server.current, handler.disposed]).toEqual([next, true]);
    client.write(request);
    await client.until(/new$/);
    client.destroy();
    await stop();
  });
});
