import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import express, { type Express } from 'express';
import fastify from 'fastify';
import {
  createHandler,
  type HandlerOptions,
  type MountedHandler,
  type NodeHandler,
} from '../../src/platform';
import { hosts, listen, type HostServer } from '../factories/http/hosts';
import { DigestClient } from '../factories/sign-in/digest-client';
import { makeProject, MemoryLog, sampleAuthentication } from '../factories/platform';
import { sendRaw } from '../factories/http/raw-http';
import { ParcelsModule } from '../fixtures/parcels-module';

const quiet = { 'platform-operations': { access_log: { enabled: false } } };
const environment = { OPERATIONS_LISTEN: 'off' };

describe.each(Object.entries(hosts))('a handler in a server of %s', (_name, start) => {
  const parcels = new ParcelsModule();
  const log = new MemoryLog();
  let mounted: MountedHandler;
  let host: HostServer;

  beforeAll(async () => {
    mounted = await createHandler({
      configuration: {},
      modules: [parcels],
      mountPath: '/api',
      environment,
      log,
    });
    host = await start(mounted, '/api');
  });
  afterAll(async () => {
    await host.stop();
    await mounted.close();
  });
  beforeEach(() => parcels.seen.splice(0));

  const get = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(host.origin + path, { redirect: 'manual', ...init });
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('writes the mount path into Location and links', async () => {
    const created = await get('/api/parcels', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"Milk"}',
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe('/api/parcels/1');
    const list = await get('/api/parcels?page=1');
    expect(await list.json()).toMatchObject({
      _links: { self: { href: '/api/parcels?page=1' } },
      _embedded: { parcels: [{ _links: { self: { href: '/api/parcels/1' } } }] },
    });
  });

  it('writes the mount path into the documentation and OpenAPI', async () => {
    const page = await (
      await get('/api/platform/documentation', { headers: { Accept: 'text/html' } })
    ).text();
    const targets = [...page.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(5);
    expect(targets.filter((target) => !target.startsWith('/api/'))).toEqual([]);
    for (const target of new Set(targets))
      expect([target, (await get(target)).status]).toEqual([target, 200]);
    const document = (await (
      await get('/api/platform/documentation/Parcels-v1', {
        headers: { Accept: 'application/vnd.oai.openapi+json' },
      })
    ).json()) as { readonly servers: readonly { readonly url: string }[] };
    expect(document.servers.map(({ url }) => url)).toEqual(['/api']);
  });

  it('responds with problems, as its own server does', async () => {
    const answer = await get('/api/nothing');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    const both = await sendRaw(
      host.origin,
      'POST /api/sum HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n',
    );
    expect(both.status).toBe(501);
  });

  it('passes the target of the client on, with its query and encoding', async () => {
    for (const target of ['/api/client', '/api/client?a=%2F&b', '/api/client?']) {
      const { body } = await sendRaw(
        host.origin,
        `GET ${target} HTTP/1.1\r\nHost: a:1\r\nConnection: close\r\n\r\n`,
      );
      expect(body).toContain(
        JSON.stringify({ address: '127.0.0.1', host: 'a:1', scheme: 'http', target }).slice(0, -1),
      );
    }
  });

  it('answers HEAD without a body, and sends several cookies', async () => {
    const head = await sendRaw(
      host.origin,
      'HEAD /api/client HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.fields.filter(([name]) => name === 'set-cookie')).toHaveLength(2);
  });

  it('receives bodies as a stream, whatever their type and size', async () => {
    const body = Buffer.alloc(5_000_000, 'abc');
    const answer = await get('/api/sum', {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream' },
      body,
    });
    expect(await answer.json()).toEqual({
      length: body.length,
      hash: createHash('sha256').update(body).digest('hex'),
    });
  });

  it('sends 100 Continue once', async () => {
    const { text } = await sendRaw(
      host.origin,
      'POST /api/sum HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: 3\r\n' +
        'Expect: 100-continue\r\nConnection: close\r\n\r\nabc',
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
  });

  it('streams responses no faster than the client reads', async () => {
    const { port } = new URL(host.origin);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /api/ticks?count=2000 HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(parcels.seen.length).toBeLessThan(1_000);
    socket.destroy();
    await until(() => parcels.seen.includes('aborted'));
  });

  it('aborts the signal when the client disconnects', async () => {
    const { port } = new URL(host.origin);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /api/ticks?count=1&wait=true HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    await until(() => parcels.seen.includes('aborted'));
    await until(() => mounted.application.inFlight === 0);
  });
});

describe.each(Object.entries(hosts))('a guarded handler in a server of %s', (_name, start) => {
  let root: string;
  let mounted: MountedHandler;
  let host: HostServer;

  beforeAll(async () => {
    root = makeProject({ local: { ...sampleAuthentication, ...quiet } });
    mounted = await createHandler({ root, mountPath: '/api', environment, log: new MemoryLog() });
    host = await start(mounted, '/api');
  });
  afterAll(async () => {
    await host.stop();
    await mounted.close();
    rmSync(root, { recursive: true });
  });

  it('sends every challenge, and accepts Digest for the target with the mount path', async () => {
    const target = '/api/v2/atlas/visits?page_size=1';
    const guest = await sendRaw(
      host.origin,
      `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    const challenges = guest.fields.filter(([name]) => name === 'www-authenticate').map(([, value]) => value);
    expect([guest.status, challenges.length]).toEqual([401, 2]);
    const client = new DigestClient();
    for (const url of [host.origin + target, `${host.origin}/api/v2/atlas/visits?`]) {
      const answer = await client.fetch(url);
      expect([answer.status, answer.headers.get('authentication-info')]).toEqual([
        200,
        expect.stringContaining('rspauth'),
      ]);
    }
    // The credentials of another path are refused.
    const headers = { Authorization: client.authorization(`${host.origin}/v2/atlas/visits`) };
    expect((await fetch(`${host.origin}/api/v2/atlas/visits`, { headers })).status).not.toBe(200);
  });
});

describe('a handler in Express', () => {
  const parcels = new ParcelsModule();
  let mounted: MountedHandler;
  let app: Express;
  let host: HostServer;

  const start = async (
    options: HandlerOptions,
    prepare: (handler: NodeHandler) => void,
  ): Promise<MemoryLog> => {
    const log = new MemoryLog();
    mounted = await createHandler({ modules: [parcels], environment, log, configuration: {}, ...options });
    app = express();
    prepare(mounted);
    app.use((request, response) => {
      response.status(299).send(`next: ${request.url}`);
    });
    host = await listen(app);
    return log;
  };
  afterEach(async () => {
    await host.stop();
    await mounted.close();
  });
  const read = async (path: string, init: RequestInit = {}): Promise<readonly [number, string]> => {
    const answer = await fetch(host.origin + path, init);
    return [answer.status, await answer.text()];
  };

  it('continues with the next one outside of its mount path', async () => {
    await start({ mountPath: '/api' }, (handler) => app.use(handler));
    expect(await read('/other?a=1')).toEqual([299, 'next: /other?a=1']);
    expect(await read('/apis')).toEqual([299, 'next: /apis']);
    expect((await read('/api/nothing'))[0]).toBe(404);
    expect((await read('/api/client'))[0]).toBe(200);
  });

  it('continues with the next one without a route, with fallthrough', async () => {
    await start({ mountPath: '/api', fallthrough: true }, (handler) => app.use('/api', handler));
    expect(await read('/api/nothing?a=1')).toEqual([299, 'next: /api/nothing?a=1']);
    expect((await read('/api/parcels/none'))[0]).toBe(404);
    expect((await read('/api/%zz'))[0]).toBe(400);
  });

  it('has a route for every path below a static folder, and does not continue there', async () => {
    const root = makeProject({ modules: [], files: { 'site/index.html': 'Home', 'site/app.js': '' } });
    const folders = { '/': { folder: 'site' }, '/docs': { folder: 'site', fallback: 'index.html' } };
    const configuration = { 'platform-static-files': { folders } };
    const options = { root, modules: [parcels, 'static-files'], configuration, mountPath: '/api' };
    try {
      await start({ ...options, fallthrough: true }, (handler) => app.use(handler));
      expect(await read('/api/')).toEqual([200, 'Home']);
      expect((await read('/api/nothing'))[0]).toBe(404);
      expect((await read('/api/nothing', { method: 'POST' }))[0]).toBe(405);
      expect(await read('/api/docs/nothing', { headers: { Accept: 'text/html' } })).toEqual([200, 'Home']);
      expect((await read('/api/client'))[0]).toBe(200);
      expect(await read('/nothing')).toEqual([299, 'next: /nothing']);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('continues with the next one outside of a static folder that has a path, with fallthrough', async () => {
    const root = makeProject({ modules: [], files: { 'site/index.html': 'Home' } });
    const configuration = { 'platform-static-files': { folders: { '/site': { folder: 'site' } } } };
    const options = { root, modules: [parcels, 'static-files'], configuration, mountPath: '' };
    try {
      await start({ ...options, fallthrough: true }, (handler) => app.use(handler));
      expect(await read('/site/')).toEqual([200, 'Home']);
      expect((await read('/site/nothing'))[0]).toBe(404);
      expect(await read('/nothing')).toEqual([299, 'next: /nothing']);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('works below a router, and with a rewritten url', async () => {
    await start({ mountPath: '/v2/api' }, (handler) => {
      const router = express.Router();
      router.use('/api', (request, _response, next) => {
        if (request.url === '/old') request.url = '/client';
        next();
      });
      router.use('/api', handler);
      app.use('/v2', router);
    });
    expect(JSON.parse((await read('/v2/api/client?a'))[1])).toMatchObject({ target: '/v2/api/client?a' });
    expect(JSON.parse((await read('/v2/api/old'))[1])).toMatchObject({ target: '/v2/api/client' });
  });

  it('serves an absolute-form target', async () => {
    await start({ mountPath: '/api' }, (handler) => app.use('/api', handler));
    const answer = await sendRaw(
      host.origin,
      'GET http://b:2/api/client HTTP/1.1\r\nHost: b:2\r\nConnection: close\r\n\r\n',
    );
    expect(answer.body).toContain('"target":"http://b:2/api/client"');
  });

  it('explains a mount path that differs from that of the routes', async () => {
    const log = await start({}, (handler) => app.use('/api', handler));
    const [status, text] = await read('/api/client');
    expect(status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({
      detail:
        'The handler is mounted at "/api", but its routes are below "/". Pass the path to createHandler: { mountPath: "/api" }.',
    });
    expect(JSON.stringify(log.lines)).toContain('mountPath');
  });

  it('serves routes that begin with the mount path themselves', async () => {
    await start({}, (handler) => app.use('/platform', handler));
    expect((await read('/platform/documentation'))[0]).toBe(200);
    expect((await read('/platform/nothing'))[0]).toBe(404);
  });

  it('explains a body that was read before', async () => {
    await start({ mountPath: '/api' }, (handler) => app.use(express.json()).use('/api', handler));
    const [status, text] = await read('/api/parcels', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"Milk"}',
    });
    expect([status, text]).toEqual([
      500,
      expect.stringContaining('Mount the handler before body parsers such as express.json().'),
    ]);
    expect((await read('/api/parcels'))[0]).toBe(200);
  });

  it('continues with the next one although a body was read before', async () => {
    await start({ mountPath: '/api', fallthrough: true }, (handler) => app.use(express.json()).use(handler));
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' };
    expect(await read('/login', init)).toEqual([299, 'next: /login']);
    expect(await read('/api/nothing', init)).toEqual([299, 'next: /api/nothing']);
    expect((await read('/api/parcels', init))[0]).toBe(500);
  });

  it('keeps fields that the host has set, and sends every line of its own', async () => {
    await start({ mountPath: '/api' }, (handler) =>
      app
        .use((_request, response, next) => {
          response.setHeader('X-Host', 'yes');
          response.setHeader('Content-Type', 'text/plain');
          next();
        })
        .use('/api', handler),
    );
    const { headers } = await fetch(`${host.origin}/api/client`);
    expect([headers.get('x-host'), headers.get('content-type')]).toEqual(['yes', 'application/json']);
    expect(headers.getSetCookie()).toHaveLength(2);
  });

  it('knows clients behind a proxy that removes a prefix', async () => {
    const server = {
      public_url: 'https://example.org/gateway',
      trust_proxy: ['loopback'],
      forwarding_fields: ['x-forwarded-host' as const],
    };
    await start({ mountPath: '/api', configuration: { server } }, (handler) => app.use('/api', handler));
    const answer = await read('/api/client', { headers: { 'X-Forwarded-Host': 'example.org' } });
    expect(JSON.parse(answer[1])).toMatchObject({
      target: '/gateway/api/client',
      host: 'example.org',
      scheme: 'https',
    });
  });

  it('finishes its responses when it is closed, and refuses further requests', async () => {
    await start({ mountPath: '/api', configuration: { server: { shutdown_timeout: 1 } } }, (handler) =>
      app.use('/api', handler),
    );
    const endless = await fetch(`${host.origin}/api/ticks?count=1&wait=true`);
    const closing = mounted.close();
    expect(await read('/api/client')).toEqual([
      503,
      expect.stringContaining('The service is shutting down.'),
    ]);
    await expect(endless.text()).rejects.toThrow('terminated');
    await closing;
    expect(mounted.application.inFlight).toBe(0);
  });
});

describe('a handler in Fastify', () => {
  it('serves the URL that rewriteUrl returns', async () => {
    const configuration = {};
    const modules = [new ParcelsModule()];
    const log = new MemoryLog();
    const mounted = await createHandler({ configuration, modules, mountPath: '/api', environment, log });
    const app = fastify({ rewriteUrl: ({ url = '' }) => url.replace(/^\/old/, '/api') });
    app.all('/api/*', (request, reply) => {
      reply.hijack();
      mounted(request.raw, reply.raw);
    });
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    for (const target of ['/old/client?a', '/api/client?a']) {
      const answer = await fetch(origin + target);
      expect([answer.status, await answer.json()]).toMatchObject([200, { target: '/api/client?a' }]);
    }
    app.server.closeAllConnections();
    await app.close();
    await mounted.close();
  });
});

describe('createHandler', () => {
  it.each([
    [{ mountPath: 'api' }, 'createHandler: mountPath is the string "api". Pass a path such as "/api"'],
    [{ mountPath: '/api/' }, 'without a slash at the end'],
    [
      { mountPath: '/a', configuration: { server: { base_url: '/b' } } },
      'createHandler: mountPath is the string "/a", but configuration.server.base_url is the string "/b". Pass one of them.',
    ],
    [{ mount: '/a' }, 'createHandler: unknown option "mount"'],
    [{ configuration: { server: 1 }, mountPath: '/a' }, 'createHandler: server: is 1'],
    [{ configuration: [], mountPath: '/a' }, 'createHandler: configuration is an array'],
    [
      { root: '/no/such/folder', mountPath: '/a' },
      'config/application.json does not exist in /no/such/folder',
    ],
  ])('rejects %j', async (options, message) => {
    const failure: unknown = await createHandler(options as unknown as HandlerOptions).catch(
      (error: unknown) => error,
    );
    expect(String(failure)).toContain(message);
  });
});
