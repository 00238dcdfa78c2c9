import type { Measurement, MeasurementLabels } from '../../../framework';
import { metricHead, sample } from './exposition';
import type { MeasuredMetric } from './measurement-reader';
import type { ProcessMetric } from './process-metrics';
import type { CountedRequests, RequestMetrics } from './request-metrics';

/** What a worker reports. */
export interface WorkerReport {
  /** Since its last report. */
  readonly requests: CountedRequests | undefined;
  readonly measurements: readonly MeasuredMetric[];
  /** Names of dependencies that are not available. */
  readonly degraded: readonly string[];
}

interface Series {
  readonly labels: MeasurementLabels;
  /** The latest value of each process. */
  readonly values: Map<object, number>;
  /** Of a counter: also what processes have counted that have ended. */
  total: number;
}

interface MergedMetric {
  readonly metric: Pick<Measurement, 'name' | 'help' | 'type' | 'aggregate'>;
  readonly series: Map<string, Series>;
}

/**
 * The metrics of the workers of a primary, together with its own: counters are summed, also those of workers that have
 * ended, so that they never decrease; gauges are summed over the running processes, unless they say otherwise.
 */
export class WorkerMetrics {
  readonly #requests: RequestMetrics;
  readonly #metrics = new Map<string, MergedMetric>();
  readonly #degraded = new Map<object, readonly string[]>();
  /** By the value of the label `worker`, which a worker and its predecessor have in common. */
  readonly #processes = new Map<
    string,
    { readonly worker: object; readonly values: readonly ProcessMetric[] }
  >();
  readonly #self = {};

  constructor(requests: RequestMetrics) {
    this.#requests = requests;
  }

  /** Names of dependencies that a worker misses. */
  get degraded(): readonly string[] {
    return [...new Set([...this.#degraded.values()].flat())];
  }

  /** @param worker its identity */
  add(worker: object, { requests, measurements, degraded }: WorkerReport): void {
    if (requests !== undefined) this.#requests.add(requests);
    this.#update(worker, measurements);
    this.#degraded.set(worker, degraded);
  }

  /** @param name the value of the label `worker` */
  addProcess(worker: object, name: string, values: readonly ProcessMetric[]): void {
    this.#processes.set(name, { worker, values });
  }

  /** Forgets what only a running worker has. */
  remove(worker: object): void {
    this.#degraded.delete(worker);
    for (const [name, one] of this.#processes) if (one.worker === worker) this.#processes.delete(name);
    for (const { series } of this.#metrics.values())
      for (const one of series.values()) one.values.delete(worker);
  }

  /** Returns the measurements of all processes. @param own those of the primary */
  merged(own: readonly MeasuredMetric[]): readonly MeasuredMetric[] {
    this.#update(this.#self, own);
    return [...this.#metrics.values()].map(({ metric, series }) => ({
      ...metric,
      values: [...series.values()].flatMap((one) =>
        metric.type === 'gauge' && one.values.size === 0 ? [] : [[one.labels, valueOf(metric, one)] as const],
      ),
    }));
  }

  /** The text of the metrics of each process, with the label `worker`. @param own those of the primary */
  processText(own: readonly ProcessMetric[]): string {
    const workers = Array.from(this.#processes, ([name, { values }]) => ({ name, values }));
    workers.sort((a, b) => Number(a.name) - Number(b.name));
    const processes = [{ name: 'primary', values: own }, ...workers];
    return own
      .map(({ name, help, type }) => {
        const lines = processes.flatMap((process) =>
          (process.values.find((metric) => metric.name === name)?.samples ?? []).map((one) =>
            sample(one.name, { worker: process.name, ...one.labels }, one.value),
          ),
        );
        return metricHead(name, help, type) + lines.join('');
      })
      .join('');
  }

  #update(process: object, metrics: readonly MeasuredMetric[]): void {
    // Gauges that are gone, such as those of a closed pool.
    for (const { metric, series } of this.#metrics.values())
      if (metric.type === 'gauge') for (const one of series.values()) one.values.delete(process);
    for (const { values, ...metric } of metrics) {
      const { series } = this.#metric(metric);
      for (const [labels, value] of values) {
        const key = JSON.stringify(labels);
        const one = series.get(key) ?? { labels, values: new Map<object, number>(), total: 0 };
        series.set(key, one);
        const last = one.values.get(process) ?? 0;
        one.total += value >= last ? value - last : value;
        one.values.set(process, value);
      }
    }
  }

  #metric(metric: MergedMetric['metric']): MergedMetric {
    const known = this.#metrics.get(metric.name);
    if (known !== undefined) return known;
    const created = { metric, series: new Map<string, Series>() };
    this.#metrics.set(metric.name, created);
    return created;
  }
}

function valueOf({ type, aggregate }: MergedMetric['metric'], { values, total }: Series): number {
  if (type === 'counter') return total;
  if (aggregate === 'minimum') return Math.min(...values.values());
  if (aggregate === 'maximum') return Math.max(...values.values());
  return [...values.values()].reduce((sum, value) => sum + value, 0);
}
