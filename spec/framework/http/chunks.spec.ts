import { Response } from '../../../src/framework';
import { startHandler, type HandlerServer } from '../../factories/http/handler-server';
import { sendRaw } from '../../factories/http/raw-http';

describe('chunks()', () => {
  let server: HandlerServer;
  /** The bytes read by read() and by chunks(). */
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

  it('yields the whole body', async () => {
    expect((await send('/all', 700_000)).status).toBe(204);
    expect(read).toEqual([700_000]);
  });

  it('yields the body again after read()', async () => {
    expect((await send('/twice', 700_000)).status).toBe(204);
    expect(read).toEqual([700_000, 700_000]);
  });

  it('rejects a body beyond the limit', async () => {
    expect((await send('/all', 1_000_001)).status).toBe(413);
  });

  it('discards the rest when the consumer stops early, and keeps the connection', async () => {
    const one = `POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(900_000)}`;
    const { text } = await sendRaw(server.origin, one + one, 1_000);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 204', 'HTTP/1.1 204']);
    expect(read[0]).toBeLessThan(900_000);
  });
});
