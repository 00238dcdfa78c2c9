import { once } from 'node:events';
import { createServer, Server } from 'node:net';
import { freePort } from './free-port';

/** Where the ports begin that Linux assigns, by default; those of other systems begin higher. */
const ASSIGNED = 32_768;

describe('A free port', () => {
  it('is none that the system assigns to a server without one', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, freePort));
    expect(Math.max(...ports)).toBeLessThan(ASSIGNED);
  });

  it('is not searched for without end where no server can listen', async () => {
    const unavailable = Object.assign(new Error('listen EADDRNOTAVAIL'), { code: 'EADDRNOTAVAIL' });
    let attempts = 0;
    const listen = jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      if (++attempts > 3) throw new Error('More than one attempt.');
      process.nextTick(() => this.emit('error', unavailable));
      return this;
    });
    await expect(freePort()).rejects.toBe(unavailable);
    listen.mockRestore();
  });

  it('can be listened on', async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    expect(server.address()).toMatchObject({ port });
    server.close();
  });
});
