import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Response, type Request } from '../../../src/framework';
import { startHandler, type HandlerServer } from '../../factories/handler-server';
import { sendRaw, type RawAnswer } from '../../factories/raw-http';

let make: (request: Request) => Response;
let server: HandlerServer;
beforeAll(async () => (server = await startHandler((request) => make(request))));
afterAll(() => server.stop());

function answerOf(response: () => Response, method = 'GET'): Promise<RawAnswer> {
  make = response;
  return sendRaw(server.origin, `${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
}

const valuesOf = ({ fields }: RawAnswer, name: string): readonly string[] =>
  fields.filter(([present]) => present === name).map(([, value]) => value);

describe('A response', () => {
  it('has the length of its body in bytes', async () => {
    const answer = await answerOf(
      () => new Response(200, 'größe', [['Content-Type', 'text/plain; charset=utf-8']]),
    );
    expect(answer).toMatchObject({ status: 200, body: 'größe' });
    expect(valuesOf(answer, 'content-length')).toEqual(['7']);
  });

  it('may have bytes for a body', async () => {
    expect((await answerOf(() => new Response(200, Buffer.from('abc')))).body).toBe('abc');
  });

  it('takes bytes of the web, and refuses what is no body', async () => {
    expect(
      (await answerOf(() => Reflect.construct(Response, [200, new Uint8Array([97, 98])]) as Response)).body,
    ).toBe('ab');
    expect(() => Reflect.construct(Response, [200, { tea: 1 }]) as Response).toThrow(
      'The body of a response is an object. Give a string, bytes, a stream of them, or null.',
    );
  });

  it('says that its body is empty when it has none', async () => {
    const answer = await answerOf(() => new Response(404));
    expect(valuesOf(answer, 'content-length')).toEqual(['0']);
    expect(answer).toMatchObject({ status: 404, body: '' });
  });

  it('keeps each line of a field that has several', async () => {
    const answer = await answerOf(
      () =>
        new Response(401, null, [
          ['WWW-Authenticate', 'Basic realm="a"'],
          ['WWW-Authenticate', 'Digest realm="b"'],
        ]),
    );
    expect(valuesOf(answer, 'www-authenticate')).toEqual(['Basic realm="a"', 'Digest realm="b"']);
  });

  it.each([204, 304])('of status %i has no body, and no length where that would be one', async (status) => {
    const answer = await answerOf(() => new Response(status, 'not sent'));
    expect(answer).toMatchObject({ status, body: '' });
    expect(valuesOf(answer, 'content-length')).toEqual([]);
  });

  it('to HEAD has the fields of the answer to GET, and no body', async () => {
    const answer = await answerOf(() => new Response(200, 'abc', [['ETag', '"1"']]), 'HEAD');
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(valuesOf(answer, 'content-length')).toEqual(['3']);
    expect(valuesOf(answer, 'etag')).toEqual(['"1"']);
  });
});

describe('A response whose body is a stream of the web', () => {
  /** Goes on until it is cancelled. */
  function endless(): { readonly body: ReadableStream; readonly cancelled: Promise<void> } {
    let tell: () => void = () => undefined;
    const cancelled = new Promise<void>((resolve) => (tell = resolve));
    const body = new ReadableStream({
      async pull(controller) {
        await pause(1);
        controller.enqueue(new Uint8Array(1_000));
      },
      cancel: () => tell(),
    });
    return { body, cancelled };
  }

  it('is sent as it comes', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('one '));
        controller.enqueue('two');
        controller.close();
      },
    });
    make = () => new Response(200, body);
    expect(await (await fetch(server.origin)).text()).toBe('one two');
  });

  it('is cancelled when the client leaves', async () => {
    const { body, cancelled } = endless();
    make = () => new Response(200, body);
    const leaving = new AbortController();
    const answer = await fetch(server.origin, { signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    await cancelled;
  });

  it('is cancelled where nobody is to read it', async () => {
    const { body, cancelled } = endless();
    expect((await answerOf(() => new Response(200, body), 'HEAD')).status).toBe(200);
    await cancelled;
  });

  it('is no answer where it had failed before', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('torn')) });
    await pause(1);
    make = () => new Response(200, body);
    expect((await fetch(server.origin)).status).toBe(500);
  });
});

describe('A response whose body is a stream', () => {
  it('is sent as it comes', async () => {
    const answer = await answerOf(() => new Response(200, Readable.from(['abc', 'def'])));
    expect(answer.body).toContain('abc');
    expect(answer.body).toContain('def');
    expect(valuesOf(answer, 'transfer-encoding')).toEqual(['chunked']);
  });

  it('keeps the length that its maker knows', async () => {
    const answer = await answerOf(() => new Response(200, Readable.from(['abc']), [['Content-Length', '3']]));
    expect(answer.body).toBe('abc');
    expect(valuesOf(answer, 'content-length')).toEqual(['3']);
  });

  it.each([
    [200, 'HEAD'],
    [204, 'GET'],
  ])('and of status %i to %s closes the stream without reading it', async (status, method) => {
    const read = jest.fn();
    const stream = new Readable({ read });
    const answer = await answerOf(() => new Response(status, stream), method);
    expect(answer).toMatchObject({ status, body: '' });
    expect(stream.destroyed).toBe(true);
    expect(read).not.toHaveBeenCalled();
  });

  it('breaks the connection off when the stream fails, so that nobody takes it for complete', async () => {
    make = (): Response =>
      new Response(
        200,
        new Readable({
          read() {
            this.push('part');
            setTimeout(() => this.destroy(new Error('disk')), 20);
          },
        }),
      );
    const answer = await fetch(server.origin);
    await expect(answer.text()).rejects.toThrow();
  });

  it('closes the stream when the client leaves', async () => {
    const stream = new Readable({
      read() {
        setTimeout(() => this.push('x'.repeat(1_000)), 5);
      },
    });
    const closed = new Promise((resolve) => stream.once('close', resolve));
    make = (): Response => new Response(200, stream);
    const leaving = new AbortController();
    await fetch(server.origin, { signal: leaving.signal });
    leaving.abort();
    await closed;
    expect(stream.destroyed).toBe(true);
  });

  const cut = async (body: Readable): Promise<unknown> => {
    const told = new Promise((resolve) => (make = () => new Heard(body, resolve)));
    const asked = fetch(server.origin).then((answer) => answer.text());
    await expect(asked).rejects.toThrow();
    return told;
  };

  it.each([
    ['numbers', [1, 2], '1'],
    ['objects', ['part', { a: 1 }], 'an object'],
    ['nothing', [undefined, 'part'], 'undefined'],
    ['functions', [() => 1], 'a function'],
    ['lists', [['part']], 'a list'],
  ])('is cut off where it holds %s, and what was found is told', async (_, chunks, found) => {
    expect(String(await cut(Readable.from(chunks)))).toBe(
      `TypeError: The stream of a response held ${found}. Give strings or bytes; for items, declare a "stream" and return them.`,
    );
    expect((await answerOf(() => new Response(200, 'next'))).body).toBe('next');
  });

  it('is cut off where its generator throws, null among its chunks too', async () => {
    const failing = function* () {
      yield 'part';
      throw new Error('torn');
    };
    expect(String(await cut(Readable.from(failing())))).toBe('Error: torn');
    expect(String(await cut(Readable.from(['part', null])))).toContain('null');
    const read = (): never => {
      throw new Error('no disk');
    };
    expect(String(await cut(new Readable({ read })))).toBe('Error: no disk');
  });

  it('is no answer where it fails before it is sent', async () => {
    const response = new Response(200, new Readable().destroy(new Error('torn')));
    await pause(5);
    expect((await answerOf(() => response)).status).toBe(500);
  });

  it('is no answer where it had ended before', async () => {
    const destroyed = new Readable().on('error', () => undefined);
    destroyed.destroy(new Error('early'));
    expect((await answerOf(() => new Response(200, destroyed))).status).toBe(500);
    const over = Readable.from(['x']).resume();
    await once(over, 'close');
    expect((await answerOf(() => new Response(200, over))).status).toBe(500);
  });

  it('tells nothing of a client that leaves', async () => {
    const stream = new Readable({ read: () => undefined });
    stream.push('part');
    const closed = once(stream, 'close');
    const failed = jest.fn();
    make = () => new Heard(stream, failed);
    const leaving = new AbortController();
    await fetch(server.origin, { signal: leaving.signal });
    leaving.abort();
    await closed.catch(() => undefined);
    await pause(20);
    expect(failed).not.toHaveBeenCalled();
  });
});

/** A response whose failures are heard of. */
class Heard extends Response {
  readonly #failed: (error: unknown) => void;

  constructor(body: Readable, failed: (error: unknown) => void) {
    super(200, body);
    this.#failed = failed;
  }

  override send(outgoing: ServerResponse, method: string): void {
    super.send(outgoing, method, this.#failed);
  }
}
