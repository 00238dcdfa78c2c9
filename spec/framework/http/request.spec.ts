import { once } from 'node:events';
import { Response, type Request } from '../../../src/framework';
import { startHandler, type HandlerServer } from '../../factories/http/handler-server';
import { RawConnection } from '../../factories/http/raw-connection';
import { sendRaw } from '../../factories/http/raw-http';

let handle: (request: Request) => unknown;
let server: HandlerServer;
beforeAll(async () => {
  server = await startHandler(async (request) => new Response(200, JSON.stringify(await handle(request))));
});
afterAll(() => server.stop());

/** Sends a request, and returns the JSON result of its handler. */
async function send(bytes: string, handler: (request: Request) => unknown): Promise<unknown> {
  handle = handler;
  const { body } = await sendRaw(server.origin, bytes);
  return JSON.parse(body) as unknown;
}

const get = (target: string, ...fields: readonly string[]): string =>
  [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...fields, '', ''].join('\r\n');

describe('A request', () => {
  it('keeps its target as received, and splits it', async () => {
    const parts = await send(get('http://localhost/a%20b?c=1&c=2&d=%C3%BC+x'), (request) => ({
      target: request.target,
      path: request.path,
      rawQuery: request.rawQuery,
      query: [...request.query],
    }));
    expect(parts).toEqual({
      target: 'http://localhost/a%20b?c=1&c=2&d=%C3%BC+x',
      path: '/a%20b',
      rawQuery: 'c=1&c=2&d=%C3%BC+x',
      query: [
        ['c', '1'],
        ['c', '2'],
        ['d', 'ü x'],
      ],
    });
  });

  it('returns the joined lines of a field, or each of them', async () => {
    const fields = await send(
      get('/', 'X-A: 1', 'x-a: 2', 'Authorization: a', 'Authorization: b'),
      (request) => [
        request.header('x-a'),
        request.headerLines('x-a'),
        request.headerLines('authorization'),
        request.headerLines('x-none'),
        request.header('x-none') ?? null,
      ],
    );
    expect(fields).toEqual(['1, 2', ['1', '2'], ['a', 'b'], [], null]);
  });

  it('returns a field by its name in any letter case (RFC 9110, 5.1)', async () => {
    const fields = await send(get('/', 'Accept-LANGUAGE: de'), (request) => [
      request.header('Accept-Language'),
      request.headerLines('Accept-Language'),
      request.header('X-None') ?? null,
    ]);
    expect(fields).toEqual(['de', ['de'], null]);
  });

  it('is retargeted without its body, credentials and other fields', async () => {
    const other = await send(
      get('/a?b=c', 'Authorization: Basic x', 'Cookie: a=b', 'X-API-Key: k', 'Via: 1.1 p'),
      async (request) => {
        const retargeted = request.retarget('DELETE', '/d?e=f');
        return {
          method: retargeted.method,
          path: retargeted.path,
          query: [...retargeted.query],
          host: retargeted.host,
          address: retargeted.address,
          isAddressUnknown: retargeted.isAddressUnknown === request.isAddressUnknown,
          fields: ['authorization', 'cookie', 'x-api-key'].filter(
            (name) => retargeted.header(name) !== undefined || retargeted.headerLines(name).length > 0,
          ),
          body: (await retargeted.read(100)).length,
          own: [request.method, request.target],
        };
      },
    );
    expect(other).toEqual({
      method: 'DELETE',
      path: '/d',
      query: [['e', 'f']],
      host: 'localhost',
      address: '127.0.0.1',
      isAddressUnknown: true,
      fields: [],
      body: 0,
      own: ['GET', '/a?b=c'],
    });
  });

  it('has the address of its peer', async () => {
    expect(await send(get('/'), ({ address }) => address)).toBe('127.0.0.1');
  });

  it.each([
    ['no length', [], false],
    ['a length of 0', ['Content-Length: 0'], false],
    ['a length', ['Content-Length: 1'], true],
    ['chunks', ['Transfer-Encoding: chunked'], true],
  ])('determines from its fields whether it has a body: %s', async (_, fields, expected) => {
    expect(await send(get('/', ...fields), ({ hasBody }) => hasBody)).toBe(expected);
  });

  it('returns its body to every reader', async () => {
    const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc';
    const bodies = await send(post, async (request) => [
      (await request.read(10)).toString(),
      (await request.read(10)).toString(),
    ]);
    expect(bodies).toEqual(['abc', 'abc']);
  });
});

describe('The signal of a request', () => {
  it('is aborted when the client disconnects before the response is complete', async () => {
    const aborted = new Promise((resolve) => {
      handle = ({ signal }) =>
        new Promise((done) => {
          signal.addEventListener('abort', () => {
            resolve(true);
            done(null);
          });
        });
    });
    const client = await RawConnection.open(server.origin);
    client.write(get('/'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.destroy();
    expect(await aborted).toBe(true);
  });

  it('is aborted when it is read after the client has disconnected', async () => {
    const read = new Promise((resolve) => {
      handle = async (request) => {
        await once(request.message.socket, 'close');
        await new Promise((done) => setTimeout(done, 20));
        resolve([request.isAborted, request.signal.aborted]);
        return null;
      };
    });
    const client = await RawConnection.open(server.origin);
    client.write(get('/'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.destroy();
    expect(await read).toEqual([true, true]);
  });

  it('is not aborted by a complete response', async () => {
    let signal: AbortSignal | undefined;
    await send(get('/'), (request) => {
      signal = request.signal;
      return null;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signal?.aborted).toBe(false);
  });
});
