import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Response, Server, type RequestHandler } from '../../../../src/framework';
import {
  DEFAULT_LIMITS,
  type ConnectionLimits,
} from '../../../../src/framework/http/limits/connection-limits';
import { EventLoopLag } from '../../../../src/framework/http/limits/event-loop-lag';
import { Refusals } from '../../../../src/framework/http/limits/refusals';
import { FunctionHandler, type Answer } from '../../../factories/http/handler-server';
import { RawConnection } from '../../../factories/http/raw-connection';

class LimitedHandler extends FunctionHandler implements RequestHandler {
  readonly limits: ConnectionLimits;
  readonly refusals = new Refusals();
  readonly logged: string[] = [];
  readonly log = {
    error: () => undefined,
    info: () => undefined,
    warn: (_: object, message: string) => void this.logged.push(message),
  };

  constructor(answer: Answer, limits: Partial<ConnectionLimits>) {
    super(answer);
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  isEssential({ url }: IncomingMessage): boolean {
    return url?.startsWith('/admin') === true;
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.refusals.totals());
  }
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});

async function start(answer: Answer, limits: Partial<ConnectionLimits>) {
  const handler = new LimitedHandler(answer, limits);
  const server = new Server(handler);
  servers.push(server);
  const { port } = await server.listen('127.0.0.1', 0);
  return { origin: `http://127.0.0.1:${port}`, handler, server };
}

/** Requests that the test lets finish. */
class Pending {
  readonly #open: (() => void)[] = [];
  started = 0;
  peak = 0;

  readonly answer: Answer = (_, outgoing: ServerResponse) => {
    this.started++;
    return new Promise((resolve) => {
      this.#open.push(() => resolve(new Response(200, 'done')));
      this.peak = Math.max(this.peak, this.#open.length);
      outgoing.once('close', () => undefined);
    });
  };

  finishOne(): void {
    this.#open.shift()?.();
  }

  async until(started: number): Promise<void> {
    for (let tries = 0; tries < 2_000 && this.started < started; tries++) await pause(5);
    expect(this.started).toBe(started);
  }
}

const get = (path = '/'): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

async function ask(origin: string, path = '/'): Promise<RawConnection> {
  const client = await RawConnection.open(origin);
  client.write(get(path));
  return client;
}

describe('Requests in flight', () => {
  it('beyond the limit wait in order of arrival, and beyond the queue receive 503', async () => {
    const pending = new Pending();
    const { origin, handler } = await start(pending.answer, { maxRequestsInFlight: 2, maxQueuedRequests: 1 });
    const served = [await ask(origin), await ask(origin)];
    await pending.until(2);
    const waiting = await ask(origin);
    await pause(50);
    const refused = await ask(origin);
    await refused.until(/ 503 [^]*Retry-After: 1\r\n[^]*The service is overloaded/);
    expect(pending.started).toBe(2);
    pending.finishOne();
    await pending.until(3);
    pending.finishOne();
    pending.finishOne();
    for (const client of [...served, waiting]) await client.until(/ 200 [^]*done$/);
    // The refused connection is still open.
    refused.write(get());
    await pending.until(4);
    pending.finishOne();
    await refused.until(/done$/);
    expect(handler.counts).toEqual({ max_requests_in_flight: 1 });
    expect(handler.logged).toEqual([
      'Refusing requests: server.max_requests_in_flight and server.max_queued_requests are reached.',
    ]);
  });

  it('never exceed the limit when many clients come and go', async () => {
    let inFlight = 0;
    let peak = 0;
    let served = 0;
    const { origin } = await start(
      async () => {
        peak = Math.max(peak, ++inFlight);
        await pause(Math.random() * 10);
        inFlight--;
        served++;
        return new Response(200, 'done');
      },
      { maxRequestsInFlight: 3, maxQueuedRequests: 1_000, queueTimeout: 60 },
    );
    const clients = await Promise.all(Array.from({ length: 60 }, () => ask(origin)));
    for (const client of clients.slice(0, 15)) client.destroy();
    for (const client of clients.slice(15)) await client.until(/done$/);
    expect(peak).toBe(3);
    expect(served).toBeGreaterThanOrEqual(45);
  });

  it('leave the queue when their client disconnects', async () => {
    const pending = new Pending();
    const { origin } = await start(pending.answer, { maxRequestsInFlight: 1, maxQueuedRequests: 1 });
    await ask(origin);
    await pending.until(1);
    const gone = await ask(origin);
    await pause(50);
    gone.destroy();
    await pause(50);
    const next = await ask(origin);
    await pause(50);
    pending.finishOne();
    await pending.until(2);
    pending.finishOne();
    await next.until(/done$/);
  });

  it('receive 503 after queue_timeout', async () => {
    const pending = new Pending();
    const { origin, handler } = await start(pending.answer, { maxRequestsInFlight: 1, queueTimeout: 1 });
    await ask(origin);
    await pending.until(1);
    const waiting = await ask(origin);
    await waiting.until(/ 503 /);
    expect(handler.counts).toEqual({ queue_timeout: 1 });
    expect(pending.started).toBe(1);
  });

  it('of administrators are handled beyond the limit', async () => {
    const pending = new Pending();
    const { origin } = await start(pending.answer, { maxRequestsInFlight: 1, maxQueuedRequests: 0 });
    await ask(origin);
    await pending.until(1);
    await (await ask(origin)).until(/ 503 /);
    const admin = await ask(origin, '/admin');
    await pending.until(2);
    pending.finishOne();
    pending.finishOne();
    await admin.until(/done$/);
  });

  it('that wait are handled by the application of the latest configuration', async () => {
    const pending = new Pending();
    const limits = { maxRequestsInFlight: 1 };
    const { origin, server } = await start(pending.answer, limits);
    await ask(origin);
    await pending.until(1);
    const waiting = await ask(origin);
    await pause(50);
    server.current = new LimitedHandler(() => new Response(200, 'new'), {
      ...limits,
      maxRequestsInFlight: 2,
    });
    await waiting.until(/new$/);
    pending.finishOne();
  });
});

describe('The delay of the event loop', () => {
  it('means overload when two samples in a row are late, or one while the next is overdue', () => {
    const lag = new EventLoopLag(1, 0);
    lag.sample(250);
    expect(lag.isOverloaded(260)).toBe(false);
    lag.sample(1_600);
    expect(lag.isOverloaded(1_610)).toBe(false);
    expect(lag.isOverloaded(2_900)).toBe(true);
    lag.sample(3_000);
    expect(lag.isOverloaded(3_010)).toBe(true);
    lag.sample(3_250);
    expect(lag.isOverloaded(3_260)).toBe(false);
    lag.stop();
  });

  it('refuses requests while it exceeds the limit, except those of administrators', async () => {
    const block = (milliseconds: number): void => {
      const until = performance.now() + milliseconds;
      while (performance.now() < until);
    };
    const { origin, handler } = await start(() => new Response(200, 'done'), { maxEventLoopLag: 0.05 });
    const client = await RawConnection.open(origin);
    for (let turn = 0; turn < 3; turn++) {
      block(600);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    client.write(get('/admin'));
    client.write(get());
    block(600);
    await client.until(/done[^]* 503 /);
    expect(handler.counts).toEqual({ max_event_loop_lag: 1 });
    await pause(1_000);
    client.write(get());
    await client.until(/done$/);
  });
});
