import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Response } from '../../../../src/framework';
import { DEFAULT_LIMITS } from '../../../../src/framework/http/limits/connection-limits';
import { loadTls } from '../../../../src/framework/http/tls/tls-files';
import { CertificateAuthority } from '../../../factories/http/certificates';
import { startHandler, type HandlerServer } from '../../../factories/http/handler-server';
import { executableOf, withPrograms } from '../../../factories/processes/programs';
import { freePort } from '../../../factories/http/free-port';

const { describe, it } = withPrograms('haproxy', 'openssl');

/** An address of this machine that is not that of the proxy. */
const CLIENT = '127.0.0.9';

let server: HandlerServer;
let proxy: ChildProcess;
let port: number;
const folder = mkdtempSync(path.join(tmpdir(), 'haproxy-'));
let authority: CertificateAuthority;

/** Starts HAProxy in TCP mode. @param option `send-proxy` or `send-proxy-v2` */
async function start(option: string): Promise<void> {
  server = await startHandler(({ address, scheme }) => new Response(200, `${scheme} ${address}`));
  const limits = { ...DEFAULT_LIMITS, sendsProxyHeader: (peer: string) => peer === '127.0.0.1' };
  Object.defineProperty(server.handler, 'limits', { value: limits });
  server.server.current = server.handler;
  port = await freePort();
  const file = path.join(folder, 'haproxy.cfg');
  const { host } = new URL(server.origin);
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 10s
  timeout client 60s
  timeout server 60s
listen public
  bind 127.0.0.1:${port}
  server s ${host} ${option}
`,
  );
  proxy = spawn(executableOf('haproxy'), ['-db', '-f', file], { stdio: 'ignore', env: process.env });
  while (!(await accepts())) expect(proxy.exitCode).toBeNull();
}

function accepts(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => setTimeout(resolve, 20, false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** Sends a request from the client's address. */
async function ask(): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: CLIENT });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  return text.split('\r\n\r\n')[1] ?? '';
}

function askSecurely(): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, localAddress: CLIENT, ca: authority.pem, agent: false },
      (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.on('end', () => resolve(text));
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

beforeAll(() => {
  authority = new CertificateAuthority();
});
afterEach(async () => {
  proxy.kill('SIGKILL');
  await server.stop();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  authority.remove();
});

describe.each(['send-proxy', 'send-proxy-v2', 'send-proxy-v2 check inter 50ms'])(
  'A service behind HAProxy with %s',
  (option) => {
    it('has the address of the client, with TLS too', async () => {
      await start(option);
      expect(await ask()).toBe(`http ${CLIENT}`);
      server.server.tls = loadTls({ ...authority.issue('server'), minimumVersion: 'TLSv1.2' });
      expect(await askSecurely()).toBe(`https ${CLIENT}`);
      expect(server.server.openingFailures.counts.get('proxy_protocol')).toBe(0);
    });
  },
);
