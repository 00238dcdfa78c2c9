import {
  ApplicationHost,
  LogFiles,
  logFilePath,
  logSettings,
  priorities,
  type BootstrapEvent,
  type ConfigObject,
  type Configuration,
  type KeyPath,
  type Module,
} from '../../framework';
import type {} from '../mvc-auth';
import { AccessLog } from './access-log';
import { addInstruments } from './instruments';
import { RequestCounter, RequestMetrics } from './metrics/request-metrics';
import { parseListenAddress, type ListenAddress } from './port/listen-address';
import { OperationsPort, type ObservedService } from './port/operations-port';
import { OPERATIONS_KEY, operationsDefaults, operationsSettings } from './settings';

export {
  DURATION_BUCKETS,
  STATUS_CLASSES,
  type OperationCounters,
  type OperationLabels,
} from './metrics/operation-counters';
export { connectionMeasurements } from './metrics/connection-measurements';
export { RequestMetrics } from './metrics/request-metrics';
export { processMeasurements } from './metrics/metrics';
export { type ProcessMetric, ProcessMetrics } from './metrics/process-metrics';
export { MeasurementReader } from './metrics/measurement-reader';
export { WorkerMetrics, type WorkerReport } from './metrics/worker-metrics';
export type { ObservedService, ObservedWorkers } from './port/operations-port';
export { RequestTraces } from './request-trace/request-traces';
export type { RecordingOptions, RecordingState } from './request-trace/recording';
export type { RequestTrace, TraceEntry, TracedCall, TraceSummary } from './request-trace/request-trace';

/**
 * Opens the operations port of a service, if its application has the module and the port is not switched off.
 * @param environment `OPERATIONS_LISTEN` takes precedence over the configuration
 * @throws ConfigurationError for an invalid address
 */
export async function openOperationsPort(
  { host, ...service }: ObservedService,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OperationsPort | undefined> {
  const { configuration, modules } = host.current;
  if (!modules.some(({ name }) => name === NAME)) return undefined;
  const variable = environment.OPERATIONS_LISTEN;
  const address =
    variable === undefined || variable === ''
      ? configuredAddress(configuration)
      : parseListenAddress(variable, () => 'The environment variable OPERATIONS_LISTEN');
  return address === undefined ? undefined : OperationsPort.open(address, { host, ...service });
}

/** @throws ConfigurationError for an invalid address */
function configuredAddress(configuration: Configuration): ListenAddress | undefined {
  const { listen } = configuration.section(OPERATIONS_KEY, operationsSettings);
  const where = (): string =>
    `${configuration.sourceOf([OPERATIONS_KEY, 'listen'])}: ${OPERATIONS_KEY}.listen`;
  return parseListenAddress(listen, where);
}

const NAME = 'operations';

/** Where the configuration names the access log. */
export const ACCESS_LOG_FILE: KeyPath = [OPERATIONS_KEY, 'access_log', 'file'];

/** The operations port, metrics, the access log and the security headers. */
export default class OperationsModule implements Module {
  readonly name = NAME;
  /** The access log has the name of the user. */
  readonly optionalRequires = ['mvc-auth'];
  readonly defaults: ConfigObject = operationsDefaults;
  readonly schemas = { [OPERATIONS_KEY]: operationsSettings };

  onBootstrap({ application }: BootstrapEvent): void {
    const { configuration, observers, events } = application;
    const { access_log, security_headers } = configuration.section(OPERATIONS_KEY, operationsSettings);
    // A reload and a check find errors that the next start would have.
    configuredAddress(configuration);
    if (access_log.enabled) {
      const file = access_log.file === undefined ? undefined : logFilePath(configuration, ACCESS_LOG_FILE);
      // Each application opens the file, so that a reload reopens a rotated log.
      const log = new AccessLog(
        file,
        configuration.section('log', logSettings).format,
        application.logOf(NAME),
        application.sharedState.find(ApplicationHost)?.createsFiles,
      );
      const files = application.sharedState.getOrCreate(LogFiles, () => new LogFiles());
      const remove = file === undefined ? undefined : files.add(log);
      events.attach('shutdown', () => {
        remove?.();
        log.close();
      });
      observers.observe('completed', (event) => log.record(event));
    }
    addInstruments(application);
    const metrics = application.sharedState.getOrCreate(RequestMetrics, () => new RequestMetrics());
    const counter = new RequestCounter(metrics);
    observers.observe('completed', function countRequest(event) {
      counter.count(event);
    });
    const fields = Object.entries(security_headers).map(([name, value]) => ({ name, value }));
    events.attach(
      'response',
      ({ response, request }) => {
        // A 401 is identical for all causes, so that it does not reveal them.
        if (response.status !== 401) response.fields.set('X-Request-Id', request.id);
        for (const { name, value } of fields)
          if (!response.fields.has(name)) response.fields.append(name, value);
      },
      priorities.response.fields,
    );
  }
}
