import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { Server } from '../../../../src/framework';

const CHUNK = Buffer.alloc(1_000, 'x');

/** A server whose responses end before a slow client has read them. */
async function startServer(chunks: number): Promise<Server> {
  const server = new Server({
    handle: async (_: IncomingMessage, outgoing: ServerResponse) => {
      for (let sent = 0; sent < chunks; sent++) {
        outgoing.write(CHUNK);
        await nextTurn();
      }
      outgoing.end();
    },
    dispose: () => Promise.resolve(),
  });
  await server.listen('127.0.0.1', 0);
  return server;
}

describe('A fetch request to a server that closes', () => {
  it.each([
    ['was sent, but not read', 30],
    ['was sent, but not read, with the larger buffers of Node.js 22', 90],
    ['has ended, but was not sent', 300],
  ])('receives a response that %s', async (_, chunks) => {
    const server = await startServer(chunks);
    const { body } = await server.fetch(new globalThis.Request('http://localhost/'), '');
    await wait(100);
    await server.close(3_600);
    await wait(200);
    let length = 0;
    for await (const chunk of body as ReadableStream<Uint8Array>) length += chunk.byteLength;
    expect(length).toBe(chunks * CHUNK.length);
  });
});
