import { Response } from '../../../src/framework';
import { startHandler, type HandlerServer } from '../../factories/handler-server';
import { sendRaw } from '../../factories/raw-http';

describe('a body that is taken as it comes', () => {
  let server: HandlerServer;
  /** What was read in each way, by bytes. */
  const read: number[] = [];
  beforeAll(async () => {
    server = await startHandler(async (request) => {
      read.length = 0;
      if (request.path === '/twice') read.push((await request.read(1_000_000)).length);
      let length = 0;
      for await (const chunk of request.chunks(1_000_000)) {
        length += chunk.length;
        if (request.path === '/first') break;
      }
      read.push(length);
      return new Response(204);
    });
  });
  afterAll(() => server.stop());

  const send = (path: string, length: number) =>
    fetch(server.origin + path, { method: 'POST', body: new Uint8Array(length) });

  it('comes whole', async () => {
    expect((await send('/all', 700_000)).status).toBe(204);
    expect(read).toEqual([700_000]);
  });

  it('comes again to who asks after it was read', async () => {
    expect((await send('/twice', 700_000)).status).toBe(204);
    expect(read).toEqual([700_000, 700_000]);
  });

  it('is refused beyond its limit', async () => {
    expect((await send('/all', 1_000_001)).status).toBe(413);
  });

  it('is thrown away from where its reader stops, and the connection goes on', async () => {
    const one = `POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(900_000)}`;
    const { text } = await sendRaw(server.origin, one + one, 1_000);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 204', 'HTTP/1.1 204']);
    expect(read[0]).toBeLessThan(900_000);
  });
});
