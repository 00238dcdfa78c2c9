import 'reflect-metadata';
import { availableParallelism } from 'node:os';
import type { Static } from '@sinclair/typebox';
import { openErrorLog } from '../error-log';
import type { Workers } from '../workers/workers';
import {
  ApplicationHost,
  BackgroundRuns,
  logSettings,
  Schedules,
  Server,
  serverSettings,
  timerDelay,
  type Application,
  type Configuration,
  type ConfigurationSnapshot,
  type Log,
  type RequestHandler,
  type SharedState,
} from '../framework';
import { builtInModules } from '../modules';
import { connectionMeasurements, openOperationsPort } from '../modules/operations';
import type * as Cluster from '../modules/cluster';
import { Certificates } from './certificates';
import { buildFirst } from './node-start';
import { observedService } from './observed-service';
import type { RunningPlatform } from './running-platform';
import { sourcesOf, type StartOptions } from './start-options';

/**
 * How a process takes part in a service of several processes.
 * @internal
 */
export interface ProcessRole {
  /** The function that received the options, for messages; defaults to `startPlatform`. */
  readonly source?: string;
  /** Starts the workers of a primary, which listens itself without. */
  readonly startWorkers?: (primary: { readonly host: ApplicationHost }) => Promise<Workers>;
  /** In a worker: what the primary has decided. */
  readonly worker?: {
    readonly snapshot: ConfigurationSnapshot;
    readonly host: string;
    readonly port: number;
    /** Wraps an application. */
    readonly handlerOf: (application: Application) => RequestHandler;
    readonly sharedState: SharedState;
    /** Called before the application is built. */
    readonly prepare: (host: ApplicationHost) => void;
  };
}

/**
 * Starts one process of a service: the only one, the primary of several workers, or a worker.
 * @internal
 * @throws ConfigurationError for an invalid configuration, and a port that cannot be used
 */
export async function startProcess(
  options: StartOptions,
  { startWorkers, worker, source = 'startPlatform' }: ProcessRole = {},
): Promise<RunningPlatform> {
  const { log, close: closeLog, configure } = openLog(options);
  const host = new ApplicationHost({
    ...sourcesOf(options, source),
    builtIn: builtInModules,
    log,
    ...(worker === undefined ? {} : { sharedState: worker.sharedState }),
  });
  host.onActivate(({ configuration }) => configure(configuration));
  worker?.prepare(host);
  const environment = options.environment ?? process.env;
  const { application, node: starting } =
    worker === undefined
      ? await buildFirst(host, environment, log)
      : { application: await host.build({ snapshot: worker.snapshot }), node: undefined };
  host.activate(application);
  let node: Cluster.ClusterNode | undefined;
  const settings = (): Static<typeof serverSettings> =>
    host.current.configuration.section('server', serverSettings);
  const handlerOf = worker?.handlerOf ?? ((application: Application): RequestHandler => application);
  const server = new Server(handlerOf(host.current));
  const certificates = new Certificates(server, () => host.current.log);
  host.onActivate((next) => {
    server.current = handlerOf(next);
    void certificates.use(next.tls);
  });
  const { host: name, port } = { ...settings(), ...worker };
  const count = options.listen === false || worker !== undefined ? 1 : workerCount(settings().workers);
  let workers: Workers | undefined;
  const runs = host.current.sharedState.getOrCreate(BackgroundRuns, () => new BackgroundRuns());
  const schedules = new Schedules(runs);
  try {
    await host.current.start();
    node = await starting?.start();
    await certificates.use(host.current.tls);
    const listens = options.listen !== false;
    if (count > 1 && startWorkers === undefined) host.current.warnings.push(NO_WORKERS);
    else if (count > 1) workers = await startWorkers?.({ host });
    const address = workers ?? (listens ? await server.listen(name, port) : { port: 0 });
    const measurements = [
      ...certificates.measurements,
      ...connectionMeasurements(() => server.connections),
      ...(workers?.measurements ?? []),
    ];
    const operations =
      listens && worker === undefined
        ? await openOperationsPort(observedService(host, server, measurements, workers), environment)
        : undefined;
    // Of several processes, the primary has the schedules.
    if (worker === undefined) {
      schedules.use(host.current);
      host.onActivate((next) => schedules.use(next));
    }
    return {
      origin: `${server.tls === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${address.port}`,
      get application() {
        return host.current;
      },
      host,
      server,
      measurements,
      workers,
      operations: operations?.origin,
      inject: (request) => server.inject(request),
      stop: async ({ idleGrace = 1, drainDelay = settings().drain_delay } = {}) => {
        const { shutdown_timeout: timeout } = settings();
        schedules.stop();
        const endRuns = runs.closeAfter(timerDelay(drainDelay + timeout));
        // A configuration store that is out of reach delays neither `/ready` nor the end of connections.
        const left = node?.stop();
        await workers?.stop();
        await server.close(timeout, { drainDelay, idleGrace });
        certificates.close();
        await left;
        await host.close();
        endRuns();
        await node?.close();
        await operations?.close();
        closeLog();
      },
    };
  } catch (error) {
    certificates.close();
    schedules.stop();
    const endRuns = runs.closeAfter(0);
    await workers?.stop();
    await server.close(0);
    await (node === undefined ? starting?.abandon() : node.stop().then(() => node?.close()));
    await host.close();
    endRuns();
    closeLog();
    throw error;
  }
}

const NO_WORKERS =
  'server.workers has no effect on a server that a program has started: start dist/index.js, or several processes.';

/** @param configured `server.workers` */
function workerCount(configured: Static<typeof serverSettings>['workers']): number {
  return configured === 'auto' ? availableParallelism() : (configured ?? 1);
}

interface OpenLog {
  readonly log: Log;
  readonly close: () => void;
  /** Applies the settings of an application. */
  readonly configure: (configuration: Configuration) => void;
}

/** The log of the options, which the caller closes, or a log on standard error. */
function openLog({ log }: StartOptions): OpenLog {
  if (log !== undefined) return { log, close: () => undefined, configure: () => undefined };
  const own = openErrorLog();
  const configure = (configuration: Configuration): void =>
    own.setFormat(configuration.section('log', logSettings).format);
  return { log: own, close: () => own.close(), configure };
}
