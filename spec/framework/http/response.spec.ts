import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Response, type Request } from '../../../src/framework';
import { startHandler, type HandlerServer } from '../../factories/http/handler-server';
import { sendRaw, type RawAnswer } from '../../factories/http/raw-http';

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

  it('can have a Buffer as its body', async () => {
    expect((await answerOf(() => new Response(200, Buffer.from('abc')))).body).toBe('abc');
  });

  it('accepts a Uint8Array as its body, and rejects other objects', async () => {
    expect(
      (await answerOf(() => Reflect.construct(Response, [200, new Uint8Array([97, 98])]) as Response)).body,
    ).toBe('ab');
    expect(() => Reflect.construct(Response, [200, { tea: 1 }]) as Response).toThrow(
      'The body of a response is an object. Use a string, bytes, a stream of these, or null.',
    );
  });

  it.each([
    [['Content-Type', 'text/plain']],
    [[{ name: 'Content-Type', value: 'text/plain' }]],
    [[['Content-Type', 'text/plain'], undefined]],
  ])('rejects the fields %j, which are not pairs', (fields) => {
    expect(() => new Response(200, 'text', fields as unknown as [])).toThrow(
      "The fields of a response are an array. Use a list of pairs, such as [['Content-Type', 'text/plain']].",
    );
  });

  it('rejects fields that are an object, as those of fetch, and says what to use', () => {
    const fields = { 'Content-Type': 'text/plain' } as unknown as [];
    expect(() => new Response(200, 'text', fields)).toThrow(
      "The fields of a response are an object. Use a list of pairs, such as [['Content-Type', 'text/plain']].",
    );
  });

  it.each([
    ['a Map', new Map([['Content-Language', 'en']])],
    ['Headers', new Headers({ 'Content-Language': 'en' })],
  ])('can have the fields of %s', async (_, fields) => {
    const answer = await answerOf(() => Reflect.construct(Response, [200, 'text', fields]) as Response);
    expect(answer.fields.map(([name, value]) => `${name.toLowerCase()}: ${value}`)).toContain(
      'content-language: en',
    );
  });

  it('has Content-Length: 0 without a body', async () => {
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

  it.each([204, 304])('of status %i has no body and no Content-Length', async (status) => {
    const answer = await answerOf(() => new Response(status, 'not sent'));
    expect(answer).toMatchObject({ status, body: '' });
    expect(valuesOf(answer, 'content-length')).toEqual([]);
  });

  it.each([
    ['a string', () => 'not sent'],
    ['a stream', () => Readable.from(['not sent'])],
  ])('of status 205 has no body, and says so: %s', async (_, body) => {
    const answer = await answerOf(() => new Response(205, body(), [['Content-Length', '8']]));
    expect(answer).toMatchObject({ status: 205, body: '' });
    expect(valuesOf(answer, 'content-length')).toEqual(['0']);
  });

  it('to HEAD has the fields of the response to GET, and no body', async () => {
    const answer = await answerOf(() => new Response(200, 'abc', [['ETag', '"1"']]), 'HEAD');
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(valuesOf(answer, 'content-length')).toEqual(['3']);
    expect(valuesOf(answer, 'etag')).toEqual(['"1"']);
  });
});

describe('A response whose body is a web stream', () => {
  /** Yields chunks until it is cancelled. */
  function endless(): { readonly body: ReadableStream; readonly cancelled: Promise<void> } {
    let onCancel: () => void = () => undefined;
    const cancelled = new Promise<void>((resolve) => (onCancel = resolve));
    const body = new ReadableStream({
      async pull(controller) {
        await pause(1);
        controller.enqueue(new Uint8Array(1_000));
      },
      cancel: () => onCancel(),
    });
    return { body, cancelled };
  }

  it('is streamed', async () => {
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

  it('is cancelled when the client disconnects', async () => {
    const { body, cancelled } = endless();
    make = () => new Response(200, body);
    const leaving = new AbortController();
    const answer = await fetch(server.origin, { signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    await cancelled;
  });

  it('is cancelled if the response has no body', async () => {
    const { body, cancelled } = endless();
    expect((await answerOf(() => new Response(200, body), 'HEAD')).status).toBe(200);
    await cancelled;
  });

  it('becomes a 500 if the stream failed before', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('torn')) });
    await pause(1);
    make = () => new Response(200, body);
    expect((await fetch(server.origin)).status).toBe(500);
  });
});

describe('A response whose body is a stream', () => {
  it('is streamed', async () => {
    const answer = await answerOf(() => new Response(200, Readable.from(['abc', 'def'])));
    expect(answer.body).toContain('abc');
    expect(answer.body).toContain('def');
    expect(valuesOf(answer, 'transfer-encoding')).toEqual(['chunked']);
  });

  it('leaves modules as many listeners of the response as Node expects of a program', async () => {
    let free = NaN;
    class Observed extends Response {
      override send(outgoing: ServerResponse, method: string): void {
        for (let count = 0; count < 9; count++) outgoing.once('close', () => undefined);
        super.send(outgoing, method);
        free = outgoing.getMaxListeners() - outgoing.listenerCount('close');
      }
    }
    const answer = await answerOf(() => new Observed(200, Readable.from(['abc'])));
    expect(answer.body).toContain('abc');
    expect(free).toBeGreaterThanOrEqual(0);
  });

  it('sets no limit of listeners where a program has removed it', async () => {
    let limit = NaN;
    class Observed extends Response {
      override send(outgoing: ServerResponse, method: string): void {
        outgoing.setMaxListeners(0);
        super.send(outgoing, method);
        limit = outgoing.getMaxListeners();
      }
    }
    await answerOf(() => new Observed(200, Readable.from(['abc'])));
    expect(limit).toBe(0);
  });

  it('keeps a given Content-Length', async () => {
    const answer = await answerOf(() => new Response(200, Readable.from(['abc']), [['Content-Length', '3']]));
    expect(answer.body).toBe('abc');
    expect(valuesOf(answer, 'content-length')).toEqual(['3']);
  });

  it.each([
    [200, 'HEAD'],
    [204, 'GET'],
  ])('destroys the stream unread for status %i to %s', async (status, method) => {
    const read = jest.fn();
    const stream = new Readable({ read });
    const answer = await answerOf(() => new Response(status, stream), method);
    expect(answer).toMatchObject({ status, body: '' });
    expect(stream.destroyed).toBe(true);
    expect(read).not.toHaveBeenCalled();
  });

  it('aborts the connection when the stream fails, so that the response is not taken for complete', async () => {
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

  it('destroys the stream when the client disconnects', async () => {
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

  const streamErrorOf = async (body: Readable): Promise<unknown> => {
    const error = new Promise((resolve) => (make = () => new ObservedResponse(body, resolve)));
    const text = fetch(server.origin).then((answer) => answer.text());
    await expect(text).rejects.toThrow();
    return error;
  };

  it.each([
    ['numbers', [1, 2], '1'],
    ['objects', ['part', { a: 1 }], 'an object'],
    ['nothing', [undefined, 'part'], 'undefined'],
    ['functions', [() => 1], 'a function'],
    ['lists', [['part']], 'an array'],
  ])('is aborted with an error if the stream yields %s', async (_, chunks, found) => {
    expect(String(await streamErrorOf(Readable.from(chunks)))).toBe(
      `TypeError: The stream of a response yielded ${found}. Yield strings or bytes. To stream entities, declare "stream" and return them.`,
    );
    expect((await answerOf(() => new Response(200, 'next'))).body).toBe('next');
  });

  it('is aborted if the generator throws, read() throws, or a chunk is null', async () => {
    const failing = function* () {
      yield 'part';
      throw new Error('torn');
    };
    expect(String(await streamErrorOf(Readable.from(failing())))).toBe('Error: torn');
    expect(String(await streamErrorOf(Readable.from(['part', null])))).toContain('null');
    const read = (): never => {
      throw new Error('no disk');
    };
    expect(String(await streamErrorOf(new Readable({ read })))).toBe('Error: no disk');
  });

  it('becomes a 500 if the stream fails before it is sent', async () => {
    const response = new Response(200, new Readable().destroy(new Error('torn')));
    await pause(5);
    expect((await answerOf(() => response)).status).toBe(500);
  });

  it('becomes a 500 if the stream had ended before', async () => {
    const destroyed = new Readable().on('error', () => undefined);
    destroyed.destroy(new Error('early'));
    expect((await answerOf(() => new Response(200, destroyed))).status).toBe(500);
    const over = Readable.from(['x']).resume();
    await once(over, 'close');
    expect((await answerOf(() => new Response(200, over))).status).toBe(500);
  });

  it.each([
    ['', () => undefined],
    [', also if that closes its source', (stream: Readable) => stream.destroy()],
  ])('reports no error when the client disconnects%s', async (_, onClose) => {
    const stream = new Readable({ read: () => undefined });
    stream.push('part');
    const closed = once(stream, 'close');
    const failed = jest.fn();
    make = () => new ObservedResponse(stream, failed, onClose);
    const leaving = new AbortController();
    await fetch(server.origin, { signal: leaving.signal });
    leaving.abort();
    await closed.catch(() => undefined);
    await pause(20);
    expect(failed).not.toHaveBeenCalled();
  });

  it('reports no error when the client has disconnected before, and closes its source', async () => {
    const stream = Readable.from(['part']);
    const failed = jest.fn();
    const begun = new EventEmitter();
    const other = await startHandler(async (_, outgoing) => {
      begun.emit('request');
      await once(outgoing, 'close');
      return new ObservedResponse(stream, failed);
    });
    const leaving = new AbortController();
    const closed = once(stream, 'close');
    const request = fetch(other.origin, { signal: leaving.signal });
    await once(begun, 'request');
    leaving.abort();
    await expect(request).rejects.toThrow();
    await closed.catch(() => undefined);
    await pause(20);
    expect(failed).not.toHaveBeenCalled();
    await other.stop();
  });
});

/** A response that reports the errors of its stream. */
class ObservedResponse extends Response {
  readonly #onStreamError: (error: unknown) => void;
  readonly #onClose: () => unknown;

  constructor(
    body: Readable,
    onStreamError: (error: unknown) => void,
    onClose: (body: Readable) => unknown = () => undefined,
  ) {
    super(200, body);
    this.#onStreamError = onStreamError;
    this.#onClose = () => onClose(body);
  }

  override send(outgoing: ServerResponse, method: string): void {
    outgoing.once('close', this.#onClose);
    super.send(outgoing, method, this.#onStreamError);
  }
}
