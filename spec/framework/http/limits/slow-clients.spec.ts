import fc from 'fast-check';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Response, Server, type RequestHandler } from '../../../../src/framework';
import {
  DEFAULT_LIMITS,
  type ConnectionLimits,
} from '../../../../src/framework/http/limits/connection-limits';
import { DataRates, rateVerdict } from '../../../../src/framework/http/limits/data-rate';
import { SlowClients } from '../../../../src/framework/http/limits/slow-clients';
import { Refusals } from '../../../../src/framework/http/limits/refusals';
import { FunctionHandler, type Answer } from '../../../factories/http/handler-server';
import { RawConnection } from '../../../factories/http/raw-connection';
import type { Socket } from 'node:net';

class LimitedHandler extends FunctionHandler implements RequestHandler {
  readonly refusals = new Refusals();
  readonly limits: ConnectionLimits;

  constructor(answer: Answer, limits: Partial<ConnectionLimits>) {
    super(answer);
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }
}

/** A connection as the measurement sees it. */
function socketWith(state: { sent: number; unsent: number; received: number }): Socket {
  const socket: unknown = Object.defineProperties(new PassThrough(), {
    bytesWritten: { get: () => state.sent + state.unsent },
    bytesRead: { get: () => state.received },
    writableLength: { get: () => state.unsent },
  });
  return socket as Socket;
}

describe('The rate of a transfer', () => {
  it('is decided at the end of a window, by the bytes within it', () => {
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.nat(1e6),
        fc.integer({ min: 1, max: 1e5 }),
        fc.nat(1e5),
        (from, more, rate, elapsed) => {
          const verdict = rateVerdict(
            { bytes: from, at: 0 },
            { bytes: from + more, at: elapsed },
            rate,
            10_000,
          );
          if (elapsed < 10_000) expect(verdict).toBe('measuring');
          else expect(verdict).toBe(more * 1_000 < rate * elapsed ? 'slow' : 'enough');
        },
      ),
    );
  });

  it('is measured again after a pause without anything to transfer', () => {
    const rates = new DataRates();
    const socket = socketWith({ sent: 0, unsent: 0, received: 0 });
    const options = (at: number) => ({ at, rate: 100, window: 1_000 });
    expect(rates.isSlow(socket, 0, options(0))).toBe(false);
    expect(rates.isSlow(socket, undefined, options(900))).toBe(false);
    expect(rates.isSlow(socket, 0, options(1_100))).toBe(false);
    expect(rates.isSlow(socket, 99, options(2_100))).toBe(true);
  });
});

describe('Slow clients', () => {
  const limits = { minDataRate: 100, inactivityTimeout: 0 };

  it('are those that read a response, or send a body, at less than min_data_rate during a window', () => {
    const clients = new SlowClients();
    const reader = { sent: 0, unsent: 1_000_000, received: 0 };
    const sender = { sent: 0, unsent: 0, received: 0 };
    const idle = { sent: 0, unsent: 0, received: 0 };
    const sockets = [reader, sender, idle].map(socketWith);
    const found: string[] = [];
    for (let at = 0; at <= 60_000; at += 1_000) {
      reader.sent += 50;
      sender.received += at < 30_000 ? 150 : 50;
      for (const [socket, slow] of clients.find(sockets, limits, (one) => one === sockets[1], at))
        found.push(`${slow} ${sockets.indexOf(socket)} ${at / 1_000}`);
    }
    expect(found).toEqual(['response 0 30', 'body 1 40', 'body 1 50', 'response 0 60', 'body 1 60']);
  });

  it('are not those whose connection another limit has ended', () => {
    const clients = new SlowClients();
    const [ended, open] = [1, 2].map(() => socketWith({ sent: 0, unsent: 1_000, received: 0 }));
    const isReceiving = (): boolean => false;
    const found = (at: number): readonly boolean[] =>
      [...clients.find([ended!, open!], limits, isReceiving, at)].map(([socket]) => socket === open);
    expect(found(0)).toEqual([]);
    ended!.destroy();
    expect(found(30_000)).toEqual([true]);
  });

  it('that send a body too slowly, or none of it, receive 408, while others are served', async () => {
    const handler = new LimitedHandler(async (request) => new Response(200, await request.read(1_000)), {
      minDataRate: 100,
    });
    const server = new Server(handler);
    try {
      const { port } = await server.listen('127.0.0.1', 0);
      const origin = `http://127.0.0.1:${port}`;
      const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n';
      const [slow, other] = [await RawConnection.open(origin), await RawConnection.open(origin)];
      slow.write(post);
      other.write(post);
      const silent = await RawConnection.open(origin);
      silent.write(post);
      for (let second = 0; second < 25 && !(slow.closed && silent.closed); second++) {
        if (!slow.closed) slow.write('x');
        if (second < 6) other.write('x'.repeat(150));
        await pause(1_000);
      }
      await slow.until(/^HTTP\/1\.1 408 [^]*less than 100 bytes per second/);
      await silent.until(/^HTTP\/1\.1 408 [^]*less than 100 bytes per second/);
      await other.until(/^HTTP\/1\.1 200 /);
      expect(Object.fromEntries(handler.refusals.totals())).toEqual({ min_data_rate: 2 });
    } finally {
      await server.close(0);
    }
  }, 40_000);
});
