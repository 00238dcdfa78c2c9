import { setImmediate as nextTurn } from 'node:timers/promises';
import { RenderingCounts, type ApplicationHost, type Measurement } from '../../../framework';
import { metricHead, operationMetrics, sample } from './exposition';
import type { MeasurementReader } from './measurement-reader';
import type { ProcessMetrics } from './process-metrics';
import type { RequestMetrics } from './request-metrics';
import type { WorkerMetrics } from './worker-metrics';

/** Milliseconds of each event loop turn for writing metrics: a scrape must not delay requests. */
const TIME_SLICE_MS = 2;

/** Where metrics come from. */
export interface MetricSources {
  readonly host: ApplicationHost;
  readonly requests: RequestMetrics;
  readonly process: ProcessMetrics;
  readonly reader: MeasurementReader;
  /** Of the server. */
  readonly measurements: readonly Measurement[];
  /** The number of the latest revision of the configuration; 0 without revisions. */
  readonly revision: () => number;
  /** Of the workers, if this process has some. */
  readonly workers?: WorkerMetrics | undefined;
}

/** Yields the text of all metrics, and pauses between turns of the event loop. */
export async function* metricsText(sources: MetricSources): AsyncGenerator<string> {
  let [text, began] = ['', performance.now()];
  for (const part of parts(sources)) {
    text += part;
    if (performance.now() - began < TIME_SLICE_MS) continue;
    yield text;
    await nextTurn();
    [text, began] = ['', performance.now()];
  }
  yield text + (await processText(sources));
}

async function processText({ process, workers }: MetricSources): Promise<string> {
  if (workers === undefined) return process.text();
  return workers.processText(await process.values());
}

function* parts(sources: MetricSources): Generator<string> {
  yield* operationMetrics(sources.requests.operations);
  const own = sources.reader.read([
    ...requestMeasurements(sources),
    ...serviceMeasurements(sources),
    ...processMeasurements(sources),
  ]);
  for (const { name, help, type, values } of sources.workers?.merged(own) ?? own) {
    yield metricHead(name, help, type);
    for (const [labels, value] of values) yield sample(name, labels, value);
  }
}

function* requestMeasurements({ requests }: MetricSources): Generator<Measurement> {
  yield {
    name: 'apidesc_http_problems_total',
    help: 'Problem responses by their code: negotiation, validation, throttling and others.',
    type: 'counter',
    values: () => [...requests.problems].map(([code, count]) => [{ code }, count] as const),
  };
  yield {
    name: 'apidesc_authentication_total',
    help: 'Results of authentication by adapter; a challenge is a 401 without credentials.',
    type: 'counter',
    values: function* () {
      for (const [adapter, outcomes] of requests.authentications)
        for (const [outcome, count] of outcomes) yield [{ adapter, outcome }, count] as const;
    },
  };
  yield {
    name: 'apidesc_throttled_total',
    help: 'Sign-ins that were refused because of earlier failures, by adapter.',
    type: 'counter',
    values: function* () {
      for (const [adapter, outcomes] of requests.authentications)
        yield [{ adapter }, outcomes.get('throttled') ?? 0] as const;
    },
  };
}

/** What every process of the service measures for itself. */
export function* processMeasurements({
  host,
  measurements,
}: Pick<MetricSources, 'host' | 'measurements'>): Generator<Measurement> {
  const renderings = host.current.sharedState.find(RenderingCounts);
  yield {
    name: 'apidesc_http_requests_in_flight',
    help: 'Requests without a complete response.',
    type: 'gauge',
    values: () => [[{}, host.inFlight]],
  };
  yield {
    name: 'apidesc_documentation_cache_requests_total',
    help: 'Requests for documentation by whether its rendering was cached.',
    type: 'counter',
    values: () => [
      [{ result: 'hit' }, renderings?.hits ?? 0],
      [{ result: 'miss' }, renderings?.misses ?? 0],
    ],
  };
  yield {
    name: 'apidesc_documentation_cache_bytes',
    help: 'Bytes of cached renderings, without their compressed variants.',
    type: 'gauge',
    values: () => [[{}, host.current.view.cachedBytes]],
  };
  yield* measurements;
  yield* host.current.measurements;
}

function* serviceMeasurements({ host, revision }: MetricSources): Generator<Measurement> {
  yield {
    name: 'apidesc_configuration_revision',
    help: 'The number of the latest revision of the configuration; 0 if there is none.',
    type: 'gauge',
    values: () => [[{}, revision()]],
  };
  yield {
    name: 'apidesc_configuration_reloads_total',
    help: 'Configurations that were built while the service ran.',
    type: 'counter',
    values: () => [
      [{ outcome: 'activated' }, host.reloads.succeeded],
      [{ outcome: 'failed' }, host.reloads.failed],
    ],
  };
}
