import 'reflect-metadata';
import path from 'node:path';
import pino from 'pino';
import {
  buildApplication,
  inOrder,
  Lasting,
  loadConfiguration,
  loadModules,
  Server,
  serverSettings,
  type Application,
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
}

/** A service that listens. */
export interface RunningPlatform {
  /** `http://host:port`. */
  readonly origin: string;
  readonly application: Application;
  readonly server: Server;
  /** Stops: requests in flight finish. */
  stop(): Promise<void>;
}

/**
 * Reads the configuration of a project, builds its application and listens.
 * @throws StartError for everything an operator can mend
 */
export async function startPlatform(options: StartOptions = {}): Promise<RunningPlatform> {
  const root = path.resolve(options.root ?? process.cwd());
  const log =
    options.log ??
    pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }));
  const modules = inOrder([...(await loadModules(root, builtInModules)), ...(options.modules ?? [])]);
  const configuration = await loadConfiguration(root, modules, options.environment ?? process.env);
  const application = await buildApplication({ configuration, modules, lasting: new Lasting(), log });
  const { host, port, shutdown_timeout } = configuration.section('server', serverSettings);
  const server = new Server(application);
  let address;
  try {
    address = await server.listen(host, port);
  } catch (error) {
    await application.dispose();
    throw error;
  }
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    origin: `http://${shown}:${address.port}`,
    application,
    server,
    stop: () => server.close(shutdown_timeout),
  };
}
