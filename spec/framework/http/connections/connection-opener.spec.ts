import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Response } from '../../../../src/framework';
import { DEFAULT_LIMITS } from '../../../../src/framework/http/limits/connection-limits';
import { loadTls } from '../../../../src/framework/http/tls/tls-files';
import { CertificateAuthority } from '../../../factories/http/certificates';
import { startHandler, type HandlerServer } from '../../../factories/http/handler-server';
import { withPrograms } from '../../../factories/processes/programs';

const V1 = 'PROXY TCP4 192.0.2.7 198.51.100.1 4711 443\r\n';
const V2 = Buffer.from('0d0a0d0a000d0a515549540a2111000cc0000207c633640112670 1bb'.replace(' ', ''), 'hex');
const V2_LOCAL = Buffer.from('0d0a0d0a000d0a515549540a20000000', 'hex');
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

let server: HandlerServer;
let port = 0;

/** Starts a server to which 127.0.0.1 must send the header; `afterEach` stops it. */
async function start({
  peers = ['127.0.0.1'],
  maxConnectionsPerAddress = Infinity,
  inactivityTimeout = DEFAULT_LIMITS.inactivityTimeout,
} = {}): Promise<void> {
  server = await startHandler(({ address, message }) => {
    return new Response(200, `${address}:${message.socket.remotePort}`);
  });
  const limits = {
    ...DEFAULT_LIMITS,
    maxConnectionsPerAddress,
    inactivityTimeout,
    sendsProxyHeader: (peer: string) => peers.includes(peer),
    isProxy: (peer: string) => peers.includes(peer),
  };
  Object.defineProperty(server.handler, 'limits', { value: limits });
  server.server.current = server.handler;
  port = Number(new URL(server.origin).port);
}

/** Sends these parts one after the other. @returns everything until the server closes the connection */
async function exchange(...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const ended = endOf(socket);
  for (const part of parts) await new Promise((sent) => socket.write(part, () => setTimeout(sent, 5)));
  return ended;
}

function endOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.on('close', () => resolve(text)));
}

const bodyOf = (answer: string): string => answer.split('\r\n\r\n')[1] ?? '';
const failures = (): number | undefined => server.server.openingFailures.counts.get('proxy_protocol');

afterEach(() => server.stop());

describe('A connection of a proxy that sends headers of the PROXY protocol', () => {
  it.each<[string, (string | Buffer)[], string]>([
    ['version 1', [V1 + REQUEST], '192.0.2.7:4711'],
    ['version 1 before the request', [V1, REQUEST], '192.0.2.7:4711'],
    ['version 2', [Buffer.concat([V2, Buffer.from(REQUEST)])], '192.0.2.7:4711'],
    ['version 2 before the request', [V2, REQUEST], '192.0.2.7:4711'],
    ['single bytes', [...Array.from(V1), REQUEST.slice(0, 9), REQUEST.slice(9)], '192.0.2.7:4711'],
  ])('has the address of the client: %s', async (_, parts, expected) => {
    await start();
    expect(bodyOf(await exchange(...parts))).toBe(expected);
  });

  it('has its own address if the header names no client', async () => {
    await start();
    for (const header of [V2_LOCAL, 'PROXY UNKNOWN\r\n'])
      expect(bodyOf(await exchange(header, REQUEST))).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it('is closed and counted without a valid header', async () => {
    await start();
    for (const bytes of [
      REQUEST,
      `${V1.replace('4711', '99999')}${REQUEST}`,
      'PROXY TCP4 ',
      V2.subarray(0, 15),
    ]) {
      const socket = connect(port, '127.0.0.1');
      const ended = endOf(socket);
      socket.end(bytes);
      expect(await ended).toBe('');
    }
    expect(failures()).toBe(4);
    // A health check that only connects is not a failure.
    const socket = connect(port, '127.0.0.1');
    const ended = endOf(socket);
    socket.end();
    expect(await ended).toBe('');
    expect(failures()).toBe(4);
  });

  it('serves pipelined requests and bodies behind the header', async () => {
    await start();
    const first = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello';
    const answers = await exchange(V1 + first + REQUEST);
    expect(answers.match(/192\.0\.2\.7:4711/g)).toHaveLength(2);
  });

  it('counts for the limit of the address of its client', async () => {
    await start({ maxConnectionsPerAddress: 1 });
    const first = connect(port, '127.0.0.1');
    first.write(`${V1}GET / HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(first, 'data');
    expect(await exchange(V1 + REQUEST)).toMatch(/^HTTP\/1\.1 503 /);
    expect(bodyOf(await exchange(V1.replace('192.0.2.7', '192.0.2.8') + REQUEST))).toBe('192.0.2.8:4711');
    first.destroy();
  });

  it('is idle until its first request', async () => {
    await start({ inactivityTimeout: 1 });
    expect(await exchange(V1)).toBe('');
  });

  it('is closed when the server stops before its first request', async () => {
    await start();
    const ended = exchange(V1);
    while (server.server.connections.open === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.server.close(60);
    expect(await ended).toBe('');
  });

  it('is closed when the server stops before the header', async () => {
    await start();
    const socket = connect(port, '127.0.0.1');
    const ended = endOf(socket);
    socket.write('PROXY');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await server.server.close(60);
    expect(await ended).toBe('');
  });
});

describe('A connection of another peer', () => {
  it('needs no header, and does not have the address of one', async () => {
    await start({ peers: ['192.0.2.1'] });
    expect(bodyOf(await exchange(REQUEST))).toMatch(/^127\.0\.0\.1:/);
    for (const header of [V1, V2]) expect(await exchange(header, REQUEST)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

withPrograms('openssl').describe('A connection with the header before TLS', () => {
  it('has the address of the client, also if both arrive together', async () => {
    await start();
    const authority = new CertificateAuthority();
    try {
      server.server.tls = loadTls({ ...authority.issue('server'), minimumVersion: 'TLSv1.2' });
      for (const header of [V1, V2]) {
        const raw = connect(port, '127.0.0.1');
        raw.cork();
        raw.write(header);
        const socket = connectTls({ socket: raw, ca: authority.pem, host: '127.0.0.1' });
        setImmediate(() => raw.uncork());
        const ended = endOf(socket);
        socket.write(REQUEST);
        expect(bodyOf(await ended)).toBe('192.0.2.7:4711');
      }
      expect(await exchange(V1 + REQUEST)).toMatch(/^HTTP\/1\.1 400 [^]*serves HTTPS only/);
      expect(await exchange(Buffer.from('16030100', 'hex'))).toBe('');
      expect(failures()).toBe(1);
    } finally {
      authority.remove();
    }
  });
});
