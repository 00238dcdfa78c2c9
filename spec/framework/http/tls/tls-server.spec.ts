import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { Response } from '../../../../src/framework';
import { DEFAULT_LIMITS } from '../../../../src/framework/http/limits/connection-limits';
import { loadTls, type ClientCertificateOptions } from '../../../../src/framework/http/tls/tls-files';
import { CertificateAuthority } from '../../../factories/http/certificates';
import { startHandler, type Answer, type HandlerServer } from '../../../factories/http/handler-server';
import { withPrograms } from '../../../factories/processes/programs';
import { sendRaw } from '../../../factories/http/raw-http';

const { describe, it } = withPrograms('openssl');

let authority: CertificateAuthority;
let server: HandlerServer;
let port = 0;

const ok: Answer = ({ scheme, address }) => new Response(200, `${scheme} ${address}`);

/** Starts a server with TLS; `afterEach` stops it. */
async function start(answer: Answer = ok, clientCertificates?: ClientCertificateOptions): Promise<void> {
  server = await startHandler(answer);
  port = Number(new URL(server.origin).port);
  const files = authority.issue('server');
  server.server.tls = loadTls({ ...files, minimumVersion: 'TLSv1.2', clientCertificates });
}

/** Opens a TLS connection that keeps everything it receives. */
async function open(options: ConnectionOptions = {}): Promise<{ socket: TLSSocket; received: () => string }> {
  const socket = connect({ port, host: '127.0.0.1', ca: authority.pem, ...options });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  await once(socket, 'secureConnect');
  return { socket, received: () => text };
}

/** Sends bytes and returns everything until the server closes the connection. */
async function exchange(bytes: string, options: ConnectionOptions = {}): Promise<string> {
  const { socket, received } = await open(options);
  socket.write(bytes);
  await once(socket, 'close');
  return received();
}

function get(path: string, options: RequestOptions = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, ca: authority.pem, ...options }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const CLOSE = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

describe('A server with TLS', () => {
  beforeAll(() => (authority = new CertificateAuthority()));
  afterAll(() => authority.remove());
  afterEach(() => server.stop());

  it('serves HTTPS, on kept connections too', async () => {
    await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const path of ['/a', '/b'])
      expect(await get(path, { agent })).toEqual({ status: 200, text: 'https 127.0.0.1' });
    agent.destroy();
  });

  it('executes no request behind a response that closes the connection', async () => {
    const methods: string[] = [];
    let release = (): void => undefined;
    await start(async ({ method }) => {
      methods.push(method);
      await new Promise<void>((resolve) => (release = resolve));
      return new Response(200, 'done');
    });
    const { socket, received } = await open();
    const closed = once(socket, 'close');
    socket.write(CLOSE.replace('close', 'keep-alive'));
    while (methods.length === 0) await pause(5);
    const stopped = server.server.close(3_600);
    for (let count = 0; count < 3; count++) {
      socket.write('DELETE / HTTP/1.1\r\nHost: a\r\n\r\n');
      await pause(50);
    }
    release();
    await Promise.all([closed, stopped]);
    expect(received()).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close\r\n[^]*done$/);
    expect(methods).toEqual(['GET']);
  });

  it('responds to plain HTTP with 400 and closes the connection', async () => {
    await start();
    const answer = await sendRaw(server.origin, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.stringContaining('This port serves HTTPS only: begin the URL with https://.'),
    ]);
    expect(server.server.openingFailures.counts.get('plain_http')).toBe(1);
  });

  it('closes connections that are not TLS, and counts failed handshakes', async () => {
    await start();
    const socket = connectPlain(port, '127.0.0.1');
    socket.end(Buffer.from('160301ffff0000', 'hex'));
    socket.resume();
    await once(socket, 'close');
    expect(server.server.openingFailures.counts.get('tls_handshake')).toBe(1);
    expect((await get('/')).status).toBe(200);
  });

  it.each<[string, ConnectionOptions, RegExp]>([
    [
      'TLS 1.1',
      { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' },
      /protocol version|EPROTO/i,
    ],
    [
      'ciphers without forward secrecy',
      { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' },
      /handshake failure/i,
    ],
    ['only HTTP/2', { ALPNProtocols: ['h2'] }, /no application protocol/i],
  ])('refuses clients with %s', async (_, options, expected) => {
    await start();
    await expect(open(options)).rejects.toThrow(expected);
  });

  it('selects http/1.1 for clients that offer HTTP/2 too', async () => {
    await start();
    const { socket } = await open({ ALPNProtocols: ['h2', 'http/1.1'] });
    expect([socket.alpnProtocol, socket.getProtocol()]).toEqual(['http/1.1', 'TLSv1.3']);
    socket.destroy();
  });

  it('serves clients that offer http/1.0 only, and prefers http/1.1', async () => {
    await start();
    const { socket } = await open({ ALPNProtocols: ['http/1.0'] });
    expect(socket.alpnProtocol).toBe('http/1.0');
    socket.write('GET /a HTTP/1.0\r\n\r\n');
    const received: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => received.push(bytes));
    await once(socket, 'close');
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*https 127\.0\.0\.1$/);
    const { socket: both } = await open({ ALPNProtocols: ['http/1.0', 'http/1.1'] });
    expect(both.alpnProtocol).toBe('http/1.1');
    both.destroy();
  });

  it('refuses TLS 1.2 if 1.3 is required', async () => {
    await start();
    server.server.tls = loadTls({ ...authority.issue('server'), minimumVersion: 'TLSv1.3' });
    await expect(open({ maxVersion: 'TLSv1.2' })).rejects.toThrow(/protocol version/i);
    expect((await get('/')).status).toBe(200);
  });

  it('uses a new certificate for new connections, and keeps the open ones', async () => {
    await start();
    const before = await open();
    const next = authority.issue('next', { subject: '/CN=next' });
    server.server.tls = loadTls({ ...next, minimumVersion: 'TLSv1.2' });
    const after = await open();
    expect([before, after].map(({ socket }) => socket.getPeerCertificate().subject.CN)).toEqual([
      'localhost',
      'next',
    ]);
    for (const { socket, received } of [before, after]) {
      socket.write(CLOSE);
      await once(socket, 'close');
      expect(received()).toContain('HTTP/1.1 200 OK');
    }
  });

  it('responds to malformed requests with problems', async () => {
    await start();
    const detail = async (bytes: string): Promise<string> => (await exchange(bytes)).split('\r\n')[0] ?? '';
    expect(await detail('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
    expect(await detail('nonsense\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
    expect(await detail(`GET / HTTP/1.1\r\nHost: a\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(/ 431 /);
    expect(
      await detail('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'),
    ).toBe('HTTP/1.1 400 Bad Request');
  });

  it('counts connections and refuses those beyond the limit with 503', async () => {
    await start();
    const limits = { ...DEFAULT_LIMITS, maxConnections: 1 };
    Object.defineProperty(server.handler, 'limits', { value: limits });
    server.server.current = server.handler;
    const first = await open();
    first.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(first.socket, 'data');
    expect(await exchange(CLOSE)).toMatch(/^HTTP\/1\.1 503 /);
    first.socket.destroy();
  });

  it('responds 408 to a request that is not received in time', async () => {
    await start();
    Object.defineProperty(server.handler, 'limits', { value: { ...DEFAULT_LIMITS, requestTimeout: 1 } });
    server.server.current = server.handler;
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\n')).toMatch(/^HTTP\/1\.1 408 [^]*Connection: close/);
  });

  it('closes idle and unfinished connections when it stops, after the responses in flight', async () => {
    let respond = (): void => undefined;
    const released = new Promise<void>((resolve) => (respond = resolve));
    let received = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (received = resolve));
    await start(async () => {
      received();
      await released;
      return new Response(200, 'late');
    });
    const idle = await open();
    const plain = connectPlain(port, '127.0.0.1');
    await once(plain, 'connect');
    const busy = await open();
    busy.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await arrived;
    const closed = [idle.socket, plain, busy.socket].map((socket) => once(socket, 'close'));
    const stopped = server.server.close(60);
    await Promise.all(closed.slice(0, 2));
    respond();
    await Promise.all([...closed, stopped]);
    expect(busy.received()).toMatch(/Connection: close[^]*late$/);
  });
});

describe('A server that asks for client certificates', () => {
  const answer: Answer = ({ clientCertificate }) =>
    new Response(200, JSON.stringify(clientCertificate?.subject ?? null));
  let clients: CertificateAuthority;
  beforeAll(() => {
    authority = new CertificateAuthority();
    clients = new CertificateAuthority('Clients');
  });
  afterAll(() => {
    authority.remove();
    clients.remove();
  });
  afterEach(() => server.stop());

  const withCertificate = (by: CertificateAuthority): RequestOptions => {
    const { certificate, key } = by.issue('client', { subject: '/O=Example/CN=ada' });
    return { cert: readFileSync(certificate), key: readFileSync(key) };
  };

  it('shows verified ones to handlers, and ignores others', async () => {
    await start(answer, { ca: clients.file, required: false });
    expect((await get('/', withCertificate(clients))).text).toBe('{"O":"Example","CN":"ada"}');
    expect((await get('/')).text).toBe('null');
    expect((await get('/', withCertificate(authority))).text).toBe('null');
  });

  it('refuses clients without one if it is required', async () => {
    await start(answer, { ca: clients.file, required: true });
    expect((await get('/', withCertificate(clients))).text).toBe('{"O":"Example","CN":"ada"}');
    await expect(get('/')).rejects.toThrow();
    await expect(get('/', withCertificate(authority))).rejects.toThrow();
  });
});
