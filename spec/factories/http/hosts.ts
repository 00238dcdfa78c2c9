import express from 'express';
import fastify from 'fastify';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeHandler } from '../../../src/platform';

/** The server of a program, with a handler at a path. */
export interface HostServer {
  readonly origin: string;
  /** Closes all connections. */
  stop(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. @param mountPath may be empty */
export type StartHost = (handler: NodeHandler, mountPath: string) => Promise<HostServer>;

/** Serves a listener, also with `Expect: 100-continue`. */
export async function listen(listener: RequestListener): Promise<HostServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return hostOf(server);
}

function hostOf(server: Server): HostServer {
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The servers that the guide shows, by name. */
export const hosts: Readonly<Record<string, StartHost>> = {
  'node:http': (handler) => listen((request, response) => handler(request, response)),
  Express: (handler, mountPath) => {
    const app = express();
    app.use(mountPath === '' ? '/' : mountPath, handler);
    return listen(app);
  },
  Fastify: async (handler, mountPath) => {
    const app = fastify();
    await app.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
      for (const url of mountPath === '' ? ['/*'] : [mountPath, `${mountPath}/*`])
        scope.all(url, (request, reply) => {
          reply.hijack();
          handler(request.raw, reply.raw);
        });
      done();
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const host = hostOf(app.server);
    return { ...host, stop: () => host.stop().then(() => app.close()) };
  },
};
