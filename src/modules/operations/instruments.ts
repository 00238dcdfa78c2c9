import { ApplicationHost, viewSettings, type Application } from '../../framework';
import { RequestTraces } from './request-trace/request-traces';
import { addServerTiming } from './server-timing/server-timing';
import { OPERATIONS_KEY, operationsSettings } from './settings';
import { hasSdk, loadOpenTelemetry } from './tracing/opentelemetry';
import { Tracing } from './tracing/tracing';

/**
 * Adds tracing, `Server-Timing` and request traces, as far as they are configured. What is off adds nothing to a request.
 * @throws ConfigurationError if tracing is on, and its package is not installed
 */
export function addInstruments(application: Application): void {
  const { configuration, sharedState, warnings } = application;
  const { tracing, server_timing, request_trace } = configuration.section(OPERATIONS_KEY, operationsSettings);
  // First: the others have the ids of its spans.
  if (tracing) {
    const where = `${configuration.sourceOf([OPERATIONS_KEY, 'tracing'])}: ${OPERATIONS_KEY}.tracing`;
    const api = loadOpenTelemetry(configuration.root, where);
    if (hasSdk(api)) new Tracing(api).attach(application);
    else
      warnings.push(
        `${where} is true, but no OpenTelemetry SDK is registered: no spans are created. Register one before the start, such as with node --import ./telemetry.mjs.`,
      );
  }
  const { display_exceptions: isDevelopment } = configuration.section('view_manager', viewSettings);
  const audience = server_timing ?? (isDevelopment ? 'users' : 'off');
  if (audience !== 'off') addServerTiming(application, audience);
  const { enabled: always, keep, max_bytes: maxBytes } = request_trace;
  const traces = sharedState.getOrCreate(RequestTraces, () => {
    const created = new RequestTraces({ keep, maxBytes });
    sharedState.find(ApplicationHost)?.onActivate((next) => created.activate(next));
    return created;
  });
  traces.attach(application, { always, keep, maxBytes });
}
