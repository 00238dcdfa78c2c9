import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createTestApplication, type TestApplication } from '../../../src/testing';
import { ForwardingHandler } from '../../../src/workers/forwarding/forwarding';
import { ForwardingPort } from '../../../src/workers/forwarding/forwarding-port';
import { listen, type HostServer } from '../../factories/http/hosts';
import { sendRaw } from '../../factories/http/raw-http';

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Sends a body without waiting for a response, as most clients do. */
function send(origin: string, path: string, body: Buffer): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent: false, headers: { 'Content-Length': body.length } };
    const request = httpRequest(origin + path, options, (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('requests that a worker forwards', () => {
  let app: TestApplication;
  let port: ForwardingPort;
  let servers: Readonly<Record<'primary' | 'worker', HostServer>>;
  /** The methods and lengths that the primary has received. */
  const received: (readonly [method: string, length: string, encoding: string])[] = [];
  beforeAll(async () => {
    app = await createTestApplication({
      modules: ['admin', 'documentation', 'operations'],
      configuration: { 'platform-operations': { access_log: { enabled: false } } },
    });
    const { application } = app;
    const host = {
      current: {
        handle: (...[message, outgoing]: Parameters<typeof application.handle>) => {
          const { method = '', headers } = message;
          received.push([
            method,
            headers['content-length'] ?? 'none',
            headers['transfer-encoding'] ?? 'none',
          ]);
          return application.handle(message, outgoing);
        },
      },
    };
    port = await ForwardingPort.open(host);
    const worker = new ForwardingHandler(application, port.target);
    servers = {
      primary: await listen((message, outgoing) => void application.handle(message, outgoing)),
      worker: await listen((message, outgoing) => void worker.handle(message, outgoing)),
    };
  });
  beforeEach(() => received.splice(0));
  afterAll(async () => {
    for (const server of Object.values(servers)) await server.stop();
    await port.close();
    await app.close();
  });

  it.each(['GET', 'HEAD', 'DELETE', 'OPTIONS'])(
    'have no body with %s if the client sent none',
    async (method) => {
      await sendRaw(
        servers.worker.origin,
        `${method} /platform/admin/api/v1/overview HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      expect(received).toEqual([[method, 'none', 'none']]);
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'QUERY'])(
    'have an empty body with %s if the client sent none',
    async (method) => {
      await sendRaw(
        servers.worker.origin,
        `${method} /platform/admin/api/v1/reload HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      expect(received).toEqual([[method, '0', 'none']]);
    },
  );

  it('keep the length or the chunks of a body', async () => {
    const head = 'PATCH /platform/admin/api/v1/reload HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
    await sendRaw(servers.worker.origin, `${head}Content-Length: 2\r\n\r\n{}`);
    await sendRaw(servers.worker.origin, `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
    expect(received).toEqual([
      ['PATCH', '2', 'none'],
      ['PATCH', 'none', 'chunked'],
    ]);
  });

  it('may announce a trailer section', async () => {
    const head =
      'POST /platform/admin/api/v1/reload HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTrailer: b\r\n';
    const chunks = '2\r\n{}\r\n0\r\nb: 1\r\n\r\n';
    for (const rest of ['\r\n', 'Content-Length: 2\r\n\r\n{}', `Transfer-Encoding: chunked\r\n\r\n${chunks}`])
      expect((await sendRaw(servers.worker.origin, head + rest)).status).toBe(401);
    expect(received).toEqual([
      ['POST', '0', 'none'],
      ['POST', '2', 'none'],
      ['POST', 'none', 'chunked'],
    ]);
  });

  it.each([1_000, 200_000, 3_000_000])(
    'have the response of a refusal before the end of %i octets',
    async (size) => {
      const body = Buffer.alloc(size, 32);
      for (const path of ['/platform/admin/api/v1/reload', '/platform/admin/nothing']) {
        const direct = await send(servers.primary.origin, path, body);
        expect([401, 404, 405]).toContain(direct.status);
        for (let time = 0; time < 5; time++)
          expect((await send(servers.worker.origin, path, body)).status).toBe(direct.status);
      }
    },
  );
});
