import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { MeasurementLabels } from '../../../framework';

/** How often the event loop is sampled, in milliseconds. */
const RESOLUTION_MS = 20;
/** The time that the reported delays of the event loop are of, in milliseconds. */
const WINDOW_MS = 10_000;
const QUANTILES = [0.5, 0.9, 0.99] as const;

/** Delays of the event loop during the last complete window, in seconds. */
export interface EventLoopLag {
  /** By quantile. */
  readonly quantiles: readonly (readonly [quantile: number, seconds: number])[];
  readonly maximum: number;
}

/** A metric of the process. */
export interface ProcessMetric {
  readonly name: string;
  readonly help: string;
  /** In the words of the text format. */
  readonly type: string;
  readonly samples: readonly {
    /** With the suffix of the sample. */
    readonly name: string;
    readonly labels: MeasurementLabels;
    readonly value: number;
  }[];
}

/** Measures the process: memory, garbage collection, CPU time, file descriptors, and the delay of the event loop. */
export class ProcessMetrics {
  readonly #registry = new Registry();
  readonly #delay: IntervalHistogram;
  readonly #timer: NodeJS.Timeout;
  #lag: EventLoopLag;

  constructor() {
    this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#delay.enable();
    this.#lag = lagOf(this.#delay);
    this.#timer = setInterval(() => {
      this.#lag = lagOf(this.#delay);
      this.#delay.reset();
    }, WINDOW_MS);
    this.#timer.unref();
    collectDefaultMetrics({ register: this.#registry });
    // Gauges that are named like counters; the metrics without the suffix have the same numbers by type.
    for (const kind of ['handles', 'requests', 'resources'])
      this.#registry.removeSingleMetric(`nodejs_active_${kind}_total`);
    this.#addLag();
  }

  get lag(): EventLoopLag {
    return this.#lag;
  }

  /** In the text format of Prometheus. */
  async text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** As plain data. */
  async values(): Promise<readonly ProcessMetric[]> {
    const metrics = await this.#registry.getMetricsAsJSON();
    return metrics.map(({ name, help, type, values }) => ({
      name,
      help,
      type: String(type),
      samples: values.map((one) => ({
        name: 'metricName' in one ? String(one.metricName) : name,
        labels: Object.fromEntries(Object.entries(one.labels).map(([key, value]) => [key, String(value)])),
        value: one.value,
      })),
    }));
  }

  close(): void {
    this.#delay.disable();
    clearInterval(this.#timer);
    this.#registry.clear();
  }

  #addLag(): void {
    const gauge = new Gauge({
      name: 'apidesc_event_loop_lag_seconds',
      help: 'How late timers were during the last ten seconds.',
      // The label `quantile` is reserved for summaries.
      labelNames: ['percentile'],
      registers: [this.#registry],
      collect: () => {
        for (const [quantile, seconds] of this.#lag.quantiles)
          gauge.set({ percentile: String(quantile * 100) }, seconds);
        gauge.set({ percentile: '100' }, this.#lag.maximum);
      },
    });
  }
}

/** The histogram measures the whole interval between two samples, in nanoseconds. */
function lagOf(delay: IntervalHistogram): EventLoopLag {
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds - RESOLUTION_MS * 1e6) / 1e9;
  return delay.count === 0
    ? { quantiles: QUANTILES.map((quantile) => [quantile, 0] as const), maximum: 0 }
    : {
        quantiles: QUANTILES.map(
          (quantile) => [quantile, seconds(delay.percentile(quantile * 100))] as const,
        ),
        maximum: seconds(delay.max),
      };
}
