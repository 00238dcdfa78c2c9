import { unavailableOf } from '../framework';
import {
  MeasurementReader,
  processMeasurements,
  ProcessMetrics,
  RequestMetrics,
  type ProcessMetric,
} from '../modules/operations';
import type { RunningPlatform } from '../start';
import type { Channel } from './channel';
import type { PrimaryCalls, WorkerCalls } from './messages';

/** How often the primary gets a report, in milliseconds. */
const INTERVAL_MS = 1_000;

/** Reports what a worker counts to the primary, which has the operations port. */
export class WorkerReporter {
  readonly #platform: RunningPlatform;
  readonly #channel: Channel<WorkerCalls, PrimaryCalls>;
  readonly #process = new ProcessMetrics();
  readonly #reader = new MeasurementReader(() => this.#platform.application.log);
  readonly #timer: NodeJS.Timeout;

  private constructor(platform: RunningPlatform, channel: Channel<WorkerCalls, PrimaryCalls>) {
    this.#platform = platform;
    this.#channel = channel;
    this.#timer = setInterval(() => void this.#report().catch(() => undefined), INTERVAL_MS).unref();
  }

  /** @returns undefined without the module that has the port */
  static start(
    platform: RunningPlatform,
    channel: Channel<WorkerCalls, PrimaryCalls>,
  ): WorkerReporter | undefined {
    const isObserved = platform.application.modules.some(({ name }) => name === 'operations');
    return isObserved ? new WorkerReporter(platform, channel) : undefined;
  }

  /** Reports what was counted, and returns the metrics of the process. */
  async measure(): Promise<readonly ProcessMetric[]> {
    await this.#report();
    return this.#process.values();
  }

  /** Reports what was counted until the end. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#report();
  }

  async #report(): Promise<void> {
    const { application, host, measurements } = this.#platform;
    const { dependencies, sharedState } = application;
    const measured = this.#reader.read(processMeasurements({ host, measurements }));
    const degraded = unavailableOf(dependencies);
    // Last: what was taken is lost if anything else fails.
    const requests = sharedState.find(RequestMetrics)?.take();
    await this.#channel.call('report', { requests, measurements: measured, degraded });
  }
}
