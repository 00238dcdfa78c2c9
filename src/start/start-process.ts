import 'reflect-metadata';
import { availableParallelism } from 'node:os';
import type { Static } from '@sinclair/typebox';
import { openErrorLog } from '../error-log';
import type { Workers } from '../workers/workers';
import {
  ActiveCertificate,
  ApplicationHost,
  BackgroundRuns,
  listenOrigin,
  logSettings,
  Schedules,
  Server,
  type serverSettings,
  type Application,
  type Configuration,
  type ConfigurationSnapshot,
  type Log,
  type Measurement,
  type RequestHandler,
  type SharedState,
} from '../framework';
import { builtInModules } from '../modules';
import { connectionMeasurements, openOperationsPort } from '../modules/operations';
import { Certificates } from './certificates';
import { buildFirst } from './node-start';
import { observedService } from './observed-service';
import type { RunningPlatform } from './running-platform';
import { abandon, settingsOf, stop, type ProcessParts } from './shutdown';
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
export async function startProcess(options: StartOptions, role: ProcessRole = {}): Promise<RunningPlatform> {
  const log = openLog(options);
  try {
    return await start(options, role, log);
  } catch (error) {
    log.close();
    throw error;
  }
}

async function start(
  options: StartOptions,
  { startWorkers, worker, source = 'startPlatform' }: ProcessRole,
  { log, close: closeLog, configure }: OpenLog,
): Promise<RunningPlatform> {
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
  const listens = options.listen !== false;
  const { host: name, port, workers: configured } = { ...settingsOf(host), ...worker };
  const parts = partsOf(host, closeLog, worker?.handlerOf);
  const { server, certificates, schedules } = parts;
  try {
    await host.current.start();
    parts.node = await starting?.start();
    await certificates.use(host.current);
    const count = listens && worker === undefined ? workerCount(configured) : 1;
    if (count > 1 && startWorkers === undefined) host.current.warnings.push(NO_WORKERS);
    else if (count > 1) parts.workers = await startWorkers?.({ host });
    const address = parts.workers ?? (listens ? await server.listen(name, port) : { port: 0 });
    const measurements = [
      ...certificates.measurements,
      ...connectionMeasurements(() => server.connections),
      ...(parts.workers?.measurements ?? []),
    ];
    if (listens && worker === undefined) {
      const service = observedService(host, server, measurements, parts.workers);
      parts.operations = await openOperationsPort(service, environment);
    }
    // Of several processes, the primary has the schedules.
    if (worker === undefined) {
      schedules.use(host.current);
      host.onActivate((next) => schedules.use(next));
    }
    const origin = listenOrigin(name, address.port, server.tls !== undefined);
    return runningPlatform(parts, origin, measurements);
  } catch (error) {
    await abandon(parts, starting);
    throw error;
  }
}

/** @param handlerOf wraps an application; defaults to the application itself */
function partsOf(
  host: ApplicationHost,
  closeLog: () => void,
  handlerOf: (application: Application) => RequestHandler = (application) => application,
): ProcessParts {
  const server = new Server(handlerOf(host.current));
  const active = host.current.sharedState.getOrCreate(ActiveCertificate, () => new ActiveCertificate());
  const certificates = new Certificates(server, active, () => host.current.log);
  host.onActivate((next) => {
    server.current = handlerOf(next);
    void certificates.use(next);
  });
  const runs = host.current.sharedState.getOrCreate(BackgroundRuns, () => new BackgroundRuns());
  const schedules = new Schedules(runs);
  const later = { node: undefined, workers: undefined, operations: undefined };
  return { host, server, certificates, runs, schedules, closeLog, ...later };
}

function runningPlatform(
  parts: ProcessParts,
  origin: string,
  measurements: readonly Measurement[],
): RunningPlatform {
  const { host, server, workers, operations } = parts;
  return {
    origin,
    get application() {
      return host.current;
    },
    host,
    server,
    measurements,
    workers,
    operations: operations?.origin,
    inject: (request) => server.inject(request),
    stop: (options) => stop(parts, options),
  };
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
