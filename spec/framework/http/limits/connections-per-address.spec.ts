import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Response } from '../../../../src/framework';
import { DEFAULT_LIMITS } from '../../../../src/framework/http/limits/connection-limits';
import { startHandler, type HandlerServer } from '../../../factories/http/handler-server';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('The limit of connections per address', () => {
  let server: HandlerServer;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    server = await startHandler(() => new Response(200));
    const limits = {
      ...DEFAULT_LIMITS,
      maxConnectionsPerAddress: 1,
      sendsProxyHeader: () => true,
      isProxy: (peer: string) => peer === '127.0.0.1',
    };
    Object.defineProperty(server.handler, 'limits', { value: limits });
    server.server.current = server.handler;
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.stop();
  });

  const statusOf = async (address: string): Promise<number> => {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    sockets.push(socket);
    socket.write(`PROXY TCP6 ${address} ::1 4711 80\r\n${REQUEST}`);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return Number(bytes.toString('latin1').split(' ')[1]);
  };

  it('counts the addresses of an IPv6 network together', async () => {
    expect(await statusOf('2001:db8::1')).toBe(200);
    expect(await statusOf('2001:db8::2')).toBe(503);
    expect(await statusOf('2001:db8:0:1::1')).toBe(200);
  });

  it('counts both notations of an IPv4 address together', async () => {
    expect(await statusOf('::ffff:192.0.2.7')).toBe(200);
    expect(await statusOf('::ffff:c000:207')).toBe(503);
  });

  it('lets no connection open after the timeout of a shutdown', async () => {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    await pause(50);
    const began = performance.now();
    await server.server.close(0.2, { idleGrace: 2 });
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
