import 'reflect-metadata';
import path from 'node:path';
import type { Static } from '@sinclair/typebox';
import pino from 'pino';
import {
  ApplicationHost,
  Server,
  serverSettings,
  type Application,
  type InjectedRequest,
  type Log,
  type Module,
} from './framework';
import { builtInModules } from './modules';

export interface StartOptions {
  /** The folder that holds `config/`; the working directory unless told. */
  readonly root?: string;
  /** Modules beside those that `config/application.json` lists. */
  readonly modules?: readonly Module[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly log?: Log;
  /** Seconds that an application built beside the running one may take to be ready; 60 unless told. */
  readonly buildTimeout?: number;
  /** Whether it listens; it does unless told. Without, it answers what is injected, for tests. */
  readonly listen?: boolean;
}

/** A service that runs. */
export interface RunningPlatform {
  /** `http://host:port`; the port is 0 where it does not listen. */
  readonly origin: string;
  /** The application in place: another one after a change of configuration. */
  readonly application: Application;
  readonly host: ApplicationHost;
  readonly server: Server;
  /**
   * Answers a request without a socket, by the same way that others take.
   *
   * @example
   * const answer = await platform.inject({ method: 'POST', path: '/notes', json: { text: 'short' } });
   * expect(answer.status).toBe(201);
   */
  inject(request: InjectedRequest): Promise<Response>;
  /** Stops: requests in flight finish. */
  stop(): Promise<void>;
}

/**
 * Reads the configuration of a project, builds its application and listens.
 * @throws StartError for everything an operator can mend
 */
export async function startPlatform(options: StartOptions = {}): Promise<RunningPlatform> {
  const host = new ApplicationHost({
    root: path.resolve(options.root ?? process.cwd()),
    builtIn: builtInModules,
    modules: options.modules ?? [],
    environment: options.environment ?? process.env,
    log: options.log ?? standardLog(),
    ...(options.buildTimeout === undefined ? {} : { buildTimeout: options.buildTimeout }),
  });
  host.put(await host.build());
  const settings = (): Static<typeof serverSettings> =>
    host.current.configuration.section('server', serverSettings);
  const server = new Server(host.current);
  host.onPut((next) => (server.current = next));
  const { host: name, port } = settings();
  try {
    const address = options.listen === false ? { port: 0 } : await server.listen(name, port);
    return {
      origin: `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`,
      get application() {
        return host.current;
      },
      host,
      server,
      inject: (request) => server.inject(request),
      stop: async () => {
        await server.close(settings().shutdown_timeout);
        await host.close();
      },
    };
  } catch (error) {
    await host.close();
    throw error;
  }
}

function standardLog(): Log {
  return pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
