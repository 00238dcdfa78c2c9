import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { appendHeaderLines } from '../../src/mount/append-header-lines';

/** Returns the response of a server of a host. */
async function responseOf(listener: RequestListener): Promise<Response> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}`, { headers: { Connection: 'close' } });
  await response.arrayBuffer();
  server.close();
  return response;
}

describe('Header lines of a response in the server of a host', () => {
  it('replace the fields of the host, but add to its cookies and to what responses vary with', async () => {
    const { headers } = await responseOf((_request, response) => {
      response.setHeader('Cache-Control', 'no-store');
      response.setHeader('Vary', 'Origin');
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      appendHeaderLines(response);
      const lines = ['cache-control', 'public', 'vary', 'Accept', 'Set-Cookie', 'c=3', 'Set-Cookie', 'd=4'];
      response.writeHead(200, lines).end();
    });
    expect(['cache-control', 'vary'].map((name) => headers.get(name))).toEqual(['public', 'Origin, Accept']);
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2', 'c=3', 'd=4']);
  });

  it.each([
    ['one has an invalid character', 200, ['X-Bad', 'a\nb']],
    ['the status is invalid', 1_000, []],
  ])('are not part of the response that reports that %s', async (_, status, bad) => {
    const { status: sent, headers } = await responseOf((_request, response) => {
      response.setHeader('X-Host', 'host');
      response.setHeader('Cache-Control', 'no-store');
      response.setHeader('Set-Cookie', ['host=1', 'host=2']);
      appendHeaderLines(response);
      const lines = ['Cache-Control', 'public', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'ETag', '"a"'];
      try {
        response.writeHead(status, [...lines, ...bad]);
      } catch {
        response.writeHead(500, ['Content-Type', 'text/plain']).end();
      }
    });
    expect(sent).toBe(500);
    expect(['cache-control', 'x-host', 'etag', 'content-type'].map((name) => headers.get(name))).toEqual([
      'no-store',
      'host',
      null,
      'text/plain',
    ]);
    expect(headers.getSetCookie()).toEqual(['host=1', 'host=2']);
  });
});
