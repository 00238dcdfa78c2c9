import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Response, Server } from '../../../../src/framework';
import { IdleTimeouts } from '../../../../src/framework/http/connections/idle-timeouts';
import { DEFAULT_LIMITS } from '../../../../src/framework/http/limits/connection-limits';
import { FunctionHandler } from '../../../factories/http/handler-server';

const MINUTE = 60_000;

describe('The timeout of a connection', () => {
  const timeouts = new IdleTimeouts();
  let server: NetServer;
  let client: Socket;
  let socket: Socket;
  let expired: number;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    [socket] = await accepted;
    timeouts.watch(socket);
    expired = 0;
    socket.on('timeout', () => expired++);
  });

  afterEach(async () => {
    client.destroy();
    socket.destroy();
    server.close();
    await once(server, 'close');
  });

  const sweepAt = (...times: readonly number[]): void => {
    for (const at of times) timeouts.sweep([socket], at);
  };

  it('passes when nothing was transferred for so long, and again after the same time', () => {
    expect(socket.setTimeout(MINUTE)).toBe(socket);
    sweepAt(0, MINUTE - 1);
    expect(expired).toBe(0);
    sweepAt(MINUTE);
    expect(expired).toBe(1);
    sweepAt(2 * MINUTE - 1);
    expect(expired).toBe(1);
    sweepAt(2 * MINUTE);
    expect(expired).toBe(2);
  });

  it('begins again when the client sends', async () => {
    socket.setTimeout(MINUTE);
    sweepAt(0);
    const received = once(socket, 'data');
    client.write('x');
    await received;
    sweepAt(MINUTE, 2 * MINUTE - 1);
    expect(expired).toBe(0);
    sweepAt(2 * MINUTE);
    expect(expired).toBe(1);
  });

  it('begins again when the server writes, and when the client reads what is unsent', async () => {
    socket.setTimeout(MINUTE);
    sweepAt(0);
    // More than the buffers of the system take.
    socket.write(Buffer.alloc(16 * 1024 * 1024));
    await pause(50);
    sweepAt(MINUTE);
    expect(expired).toBe(0);
    const sent = once(socket, 'drain');
    client.resume();
    await sent;
    sweepAt(2 * MINUTE);
    expect(expired).toBe(0);
    sweepAt(3 * MINUTE);
    expect(expired).toBe(1);
  });

  it('begins again with another duration', () => {
    socket.setTimeout(MINUTE);
    sweepAt(0);
    socket.setTimeout(2 * MINUTE);
    sweepAt(MINUTE);
    expect(expired).toBe(0);
    sweepAt(3 * MINUTE);
    expect(expired).toBe(1);
  });

  it('ends with 0', () => {
    socket.setTimeout(MINUTE);
    sweepAt(0);
    socket.setTimeout(0);
    expect(socket.timeout).toBe(0);
    sweepAt(MINUTE);
    expect(expired).toBe(0);
  });

  it('calls its listener once', () => {
    let calls = 0;
    socket.setTimeout(MINUTE, () => calls++);
    sweepAt(0, MINUTE, 2 * MINUTE);
    expect([calls, expired]).toEqual([1, 2]);
  });

  it('has a timer of Node if it is short, which a long one stops', async () => {
    socket.setTimeout(20);
    await once(socket, 'timeout');
    expect(expired).toBe(1);
    socket.setTimeout(20);
    socket.setTimeout(MINUTE);
    await pause(60);
    expect(expired).toBe(1);
    expect(socket.timeout).toBe(MINUTE);
  });

  it('is checked as Node checks it', () => {
    expect(() => socket.setTimeout(-1)).toThrow('out of range');
    expect(() => socket.setTimeout(Number.NaN)).toThrow('out of range');
  });
});

describe('A server with timeouts that have no timer', () => {
  it('closes connections after both of them', async () => {
    const handler = new FunctionHandler(() => new Response(200, 'fine'));
    const server = new Server(
      Object.assign(handler, { limits: { ...DEFAULT_LIMITS, inactivityTimeout: 10, keepAliveTimeout: 11 } }),
    );
    const { port } = await server.listen('127.0.0.1', 0);
    const start = performance.now();
    const closed = async (text: string): Promise<{ readonly received: string; readonly after: number }> => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1');
      let received = '';
      socket.on('data', (more: string) => (received += more));
      socket.write(text);
      await once(socket, 'close');
      return { received, after: performance.now() - start };
    };
    const [silent, idle] = await Promise.all([closed(''), closed('GET / HTTP/1.1\r\nHost: a\r\n\r\n')]);
    expect(silent.received).toBe('');
    expect(silent.after).toBeGreaterThan(9_500);
    expect(idle.received).toContain('\r\nKeep-Alive: timeout=11\r\n');
    expect(idle.after).toBeGreaterThan(10_500);
    await server.close(0);
  });
});
