import type { MeasurementLabels } from '../../../framework';
import { DURATION_BUCKETS, STATUS_CLASSES, type OperationCounters } from './operation-counters';

/** The media type of the text format (Prometheus exposition formats, version 0.0.4). */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The lines that introduce a metric. */
export function metricHead(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}\n# TYPE ${name} ${type}\n`;
}

/** One line: a value with its labels. */
export function sample(name: string, labels: MeasurementLabels, value: number): string {
  const text = labelsText(labels);
  return `${name}${text === '' ? '' : `{${text}}`} ${numberText(value)}\n`;
}

/** @returns labels without braces, in the given order */
function labelsText(labels: MeasurementLabels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(',');
}

function escaped(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

/**
 * The metrics of the operations. Yields the text in parts, since thousands of operations have tens of thousands of
 * lines.
 */
export function* operationMetrics(operations: Iterable<OperationCounters>): Generator<string> {
  const all = [...operations].map((counters) => ({ counters, labels: labelsText({ ...counters.labels }) }));
  yield metricHead('apidesc_http_requests_total', 'Requests by operation and status class.', 'counter');
  for (const { counters, labels } of all) yield requestLines(counters, labels);
  yield metricHead(
    'apidesc_http_response_bytes_total',
    'Bytes of response bodies, as they were sent.',
    'counter',
  );
  for (const { counters, labels } of all)
    yield `apidesc_http_response_bytes_total{${labels}} ${counters.bytes}\n`;
  const duration = 'apidesc_http_request_duration_seconds';
  yield metricHead(duration, 'Time from the header section to the end of the response.', 'histogram');
  for (const { counters, labels } of all) yield durationLines(duration, counters, labels);
}

function requestLines(counters: OperationCounters, labels: string): string {
  let lines = '';
  for (const [index, status] of STATUS_CLASSES.entries()) {
    const requests = counters.requests(index);
    if (requests > 0) lines += `apidesc_http_requests_total{${labels},status="${status}"} ${requests}\n`;
  }
  return lines;
}

function durationLines(name: string, { buckets, seconds }: OperationCounters, labels: string): string {
  let lines = '';
  let cumulated = 0;
  for (const [index, bound] of DURATION_BUCKETS.entries()) {
    cumulated += buckets[index] ?? 0;
    lines += `${name}_bucket{${labels},le="${bound}"} ${cumulated}\n`;
  }
  cumulated += buckets[DURATION_BUCKETS.length] ?? 0;
  lines += `${name}_bucket{${labels},le="+Inf"} ${cumulated}\n`;
  return `${lines}${name}_sum{${labels}} ${seconds}\n${name}_count{${labels}} ${cumulated}\n`;
}
