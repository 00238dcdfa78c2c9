import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresLink } from '../../../../src/modules/cluster/store/postgres/postgres-link';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';

const { describe, it } = withPrograms('postgres');

/** What a client sends before it closes the connection. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

/** A network that loses the end of a connection, so that the server keeps it. */
async function losingEnds(port: number): Promise<Server> {
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect(port, '127.0.0.1');
    client.on('data', (data) => {
      if (!data.equals(TERMINATE)) server.write(data);
    });
    server.on('data', (data) => client.write(data));
    server.on('close', () => client.destroy());
    for (const socket of [client, server]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

describe('the connection of a configuration store in PostgreSQL', () => {
  it('outlives a late error of its predecessor', async () => {
    const server = await PostgresServer.start();
    const proxy = await losingEnds(server.port);
    // A server that listens on a port has an AddressInfo.
    const { port } = proxy.address() as AddressInfo;
    const link = new PostgresLink({
      url: `postgres://admin:secret@127.0.0.1:${port}/postgres`,
      channel: 'test',
      prepare: () => Promise.resolve(),
      notified: () => undefined,
    });
    let first: unknown;
    const fail = link.transaction(async (query) => {
      [first] = (await query('SELECT pg_backend_pid() AS pid')).map(({ pid }) => pid);
      throw new Error('A transaction that fails ends its connection.');
    });
    await expect(fail).rejects.toThrow('ends its connection');
    const second = await link.transaction(async (query) => {
      await query('SELECT pg_terminate_backend($1)', [first]);
      await delay(300);
      return query('SELECT pg_backend_pid() AS pid');
    });
    expect(second).toEqual([{ pid: expect.any(Number) as number }]);
    expect(second).not.toEqual([{ pid: first }]);
    await link.close();
    await server.close();
    proxy.close();
  });
});
