import { Server, ConfigurationError } from '../../../src/framework';
import { FunctionHandler, startHandler } from '../../factories/handler-server';

const handler = new FunctionHandler(() => {
  throw new TypeError('No request was expected.');
});

describe('Listening', () => {
  it('on port 0 takes a free port and tells which', async () => {
    const server = new Server(handler);
    const { port } = await server.listen('127.0.0.1', 0);
    expect(port).toBeGreaterThan(0);
    await server.close(1);
  });

  it('on a port that is taken is an error that says so, and what to do', async () => {
    const other = await startHandler(() => {
      throw new TypeError('No request was expected.');
    });
    const port = Number(new URL(other.origin).port);
    await expect(new Server(handler).listen('127.0.0.1', port)).rejects.toThrow(
      new ConfigurationError(
        `Port ${port} on 127.0.0.1 is already in use. Choose another with PORT=<number> or server.port.`,
      ),
    );
    await other.stop();
  });

  it.each(['192.0.2.1', 'no.such.host.invalid'])(
    'on an address that is not this machine’s is an error that says so: %s',
    async (host) => {
      await expect(new Server(handler).listen(host, 0)).rejects.toThrow(
        new ConfigurationError(
          `${host} is not an address of this machine. Set HOST or server.host to one that is.`,
        ),
      );
    },
  );
});
