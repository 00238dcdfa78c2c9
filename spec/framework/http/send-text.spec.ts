import fc from 'fast-check';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { Response, type Request } from '../../../src/framework';
import { startHandler, type HandlerServer } from '../../factories/http/handler-server';
import { sendRaw } from '../../factories/http/raw-http';

/** A response over a connection that keeps what is written to it, each call on its own. */
function connected(): { outgoing: ServerResponse; connection: Duplex; writes: string[] } {
  const writes: string[] = [];
  const connection = new Duplex({
    decodeStrings: false,
    read: () => undefined,
    write(chunk: Buffer | string, encoding, done) {
      writes.push(bytesOf({ chunk, encoding }).toString('latin1'));
      done();
    },
    writev(chunks, done) {
      writes.push(`${chunks.length} pieces`);
      done();
    },
  });
  const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
  // Declared for sockets only, but every duplex stream works.
  Reflect.apply(outgoing.assignSocket, outgoing, [connection]);
  return { outgoing, connection, writes };
}

function bytesOf({ chunk, encoding }: { chunk: Buffer | string; encoding: string }): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : chunk;
}

describe('a text', () => {
  it.each(['tea', 'größe', '地球仪', '🍵'])('is one write to the connection with its head: %s', (text) => {
    const { outgoing, writes } = connected();
    new Response(200, text, [['X-Name', 'tea']]).send(outgoing, 'GET');
    expect(writes).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\nX-Name: tea\r\n/)]);
    const [, body] = writes.join('').split('\r\n\r\n');
    expect(Buffer.from(body ?? '', 'latin1').toString()).toBe(text);
    expect(outgoing.writableEnded).toBe(true);
  });

  it('is not sent, nor counts as sent, if the connection has failed', async () => {
    const { outgoing, connection, writes } = connected();
    let hasFinished = false;
    outgoing.on('finish', () => (hasFinished = true));
    connection.destroy();
    new Response(200, 'tea').send(outgoing, 'GET');
    await turn();
    expect({ writes, hasFinished }).toEqual({ writes: [], hasFinished: false });
  });
});

describe('over a connection', () => {
  let make: (request: Request) => Response;
  let server: HandlerServer;
  beforeAll(async () => (server = await startHandler((request) => make(request))));
  afterAll(() => server.stop());

  it('texts arrive as they are, with the fields of the response', async () => {
    const field = fc.stringMatching(/^[\x21-\x7e\xa1-\xff]{1,9}$/);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), field, async (text, value) => {
        make = () => new Response(200, text, [['X-Name', value]]);
        const { body, fields } = await sendRaw(
          server.origin,
          'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
        );
        expect(body).toBe(text);
        const sent = fields.find(([name]) => name === 'x-name')?.[1] ?? '';
        expect(sent).toBe(Buffer.from(value, 'latin1').toString());
      }),
      { numRuns: 50 },
    );
  });

  it('one that waits for an earlier response is sent after it, complete', async () => {
    const bodies = ['first', 'second', 'größe', 'fourth'];
    make = ({ path }) => new Response(200, bodies[Number(path.slice(1))] ?? '');
    const requests = bodies.map(
      (_, at) => `GET /${at} HTTP/1.1\r\nHost: localhost\r\n${at === 3 ? 'Connection: close\r\n' : ''}\r\n`,
    );
    const { body } = await sendRaw(server.origin, requests.join(''));
    const rest = body.split(/HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\n/);
    expect(rest).toEqual(bodies);
  });
});

it('leaves fields that an embedding program has set as they are', () => {
  const { outgoing, writes } = connected();
  outgoing.setHeader('X-Name', 'größe');
  new Response(200, 'größe').send(outgoing, 'GET');
  expect(writes).toEqual([expect.stringMatching(/^[23] pieces$/)]);
});

it('leaves a reason phrase that an embedding program has set as it is', () => {
  const { outgoing, writes } = connected();
  outgoing.statusMessage = 'größer';
  new Response(200, 'größe').send(outgoing, 'GET');
  expect(writes).toEqual([expect.stringMatching(/^[23] pieces$/)]);
});

it('passes the text to an `end` that middleware has replaced', () => {
  const { outgoing } = connected();
  const texts: unknown[] = [];
  const end = outgoing.end.bind(outgoing) as (...args: readonly unknown[]) => ServerResponse;
  outgoing.end = (...args: readonly unknown[]) => {
    texts.push(args[0]);
    return end(...args);
  };
  new Response(200, 'tea').send(outgoing, 'GET');
  expect(texts).toEqual(['tea']);
});
