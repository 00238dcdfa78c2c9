import { EventEmitter } from 'node:events';
import { ConfigurationError, Response, Server } from '../../../../src/framework';
import { FunctionHandler, startHandler } from '../../../factories/http/handler-server';

const handler = new FunctionHandler(() => {
  throw new TypeError('No request was expected.');
});

describe('Listening', () => {
  it('on port 0 assigns a free port and returns it', async () => {
    const server = new Server(handler);
    const { port } = await server.listen('127.0.0.1', 0);
    expect(port).toBeGreaterThan(0);
    await server.close(1);
  });

  it('fails with an explanation if the port is in use', async () => {
    const other = await startHandler(() => {
      throw new TypeError('No request was expected.');
    });
    const port = Number(new URL(other.origin).port);
    await expect(new Server(handler).listen('127.0.0.1', port)).rejects.toThrow(
      new ConfigurationError(
        `Port ${port} on 127.0.0.1 is already in use. Set another port with PORT=<number> or server.port.`,
      ),
    );
    await other.stop();
  });

  it('continues after a connection that the system could not accept', async () => {
    const { server, origin, stop } = await startHandler((_, { socket }) => {
      // Node's server has the errors of the system.
      const listening: unknown = Reflect.get(socket ?? {}, 'server');
      if (listening instanceof EventEmitter) listening.emit('error', new Error('accept EPERM'));
      return new Response(204);
    });
    expect((await fetch(origin)).status).toBe(204);
    expect(server.openingFailures.counts.get('accept')).toBe(1);
    await stop();
  });

  it.each(['192.0.2.1', 'no.such.host.invalid'])(
    'fails with an explanation if the address does not belong to this machine: %s',
    async (host) => {
      await expect(new Server(handler).listen(host, 0)).rejects.toThrow(
        new ConfigurationError(
          `${host} is not an address of this machine. Set HOST or server.host to one of its addresses.`,
        ),
      );
    },
  );
});
