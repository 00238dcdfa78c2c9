import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createHandler,
  defineApi,
  defineRpcService,
  type MountedHandler,
  type Module,
} from '../../src/platform';
import { listen } from '../factories/http/hosts';
import { MemoryLog } from '../factories/platform';

/** An operation that responds after `respond`, and one that responds at once. */
class WaitingModule implements Module {
  readonly name = 'waiting';
  readonly requires = ['hosting'];
  started = 0;
  respond: () => void = () => undefined;
  readonly #released = new Promise<void>((resolve) => (this.respond = resolve));

  readonly apis = [
    defineApi({
      name: 'Waiting',
      versions: {
        1: {
          services: {
            Wait: defineRpcService({
              route: '/wait',
              methods: {
                GET: {
                  handler: async () => {
                    this.started++;
                    await this.#released;
                  },
                },
              },
            }),
            Ping: defineRpcService({ route: '/ping', methods: { GET: { handler: () => 'pong' } } }),
          },
        },
      },
    }),
  ];
}

const start = (module: Module, log = new MemoryLog()): Promise<MountedHandler> =>
  createHandler({
    configuration: { server: { max_requests_in_flight: 1, max_queued_requests: 0, shutdown_timeout: 1 } },
    modules: [module],
    environment: { OPERATIONS_LISTEN: 'off' },
    log,
  });

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await pause(5);
};

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe('clients that disconnect from a mounted handler', () => {
  it('are not counted after they have pipelined requests', async () => {
    const waiting = new WaitingModule();
    const mounted = await start(waiting);
    // The host responds to the first request itself, later.
    const host = await listen((message, response) => {
      if (message.url !== '/host') mounted(message, response);
    });
    const client = connect(Number(new URL(host.origin).port), '127.0.0.1');
    client.write(request('/host') + request('/wait'));
    await until(() => waiting.started === 1);
    expect((await fetch(`${host.origin}/ping`)).status).toBe(503);
    client.destroy();
    waiting.respond();
    await until(() => mounted.application.inFlight === 0);
    expect((await fetch(`${host.origin}/ping`)).status).toBe(200);
    await mounted.close();
    await host.stop();
  });

  it('are not counted if they are gone before the handler is called', async () => {
    const waiting = new WaitingModule();
    const mounted = await start(waiting);
    let called = 0;
    const host = await listen((message, response) => {
      if (message.url === '/ping') mounted(message, response);
      else
        message.socket.once('close', () =>
          setImmediate(() => {
            mounted(message, response);
            called++;
          }),
        );
    });
    for (const path of ['/wait', '/wait']) {
      const client = connect(Number(new URL(host.origin).port), '127.0.0.1');
      await once(client, 'connect');
      client.write(request(path));
      await pause(20);
      client.destroy();
    }
    await until(() => called === 2);
    expect(mounted.application.inFlight).toBe(0);
    expect(waiting.started).toBe(0);
    expect((await fetch(`${host.origin}/ping`)).status).toBe(200);
    await mounted.close();
    await host.stop();
  });

  it('do not keep the handler from closing while they wait for an earlier response of the host', async () => {
    const waiting = new WaitingModule();
    const log = new MemoryLog();
    const mounted = await start(waiting, log);
    const host = await listen((message, response) => {
      if (message.url !== '/host') mounted(message, response);
    });
    const client = connect(Number(new URL(host.origin).port), '127.0.0.1');
    client.on('error', () => undefined);
    client.write(request('/host') + request('/wait'));
    await until(() => waiting.started === 1);
    await mounted.close();
    expect(JSON.stringify(log.lines)).toContain('Cutting off 1 request ');
    client.destroy();
    await host.stop();
  });
});
