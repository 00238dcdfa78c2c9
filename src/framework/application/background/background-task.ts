import type { Services } from '../../container/services';
import type { MaybePromise } from '../../events/maybe-promise';
import type { Log } from '../../logging/log';
import { isObject } from '../../values/config-object';

/** Seconds, or a text such as `30s`, `5m`, `12h` or `1d`. */
export type Interval = number | `${number}${'s' | 'm' | 'h' | 'd'}`;

/** What a run of a task receives. */
export interface TaskContext {
  /** Aborted when the service shuts down. */
  readonly signal: AbortSignal;
  /** The services of the application that is active when the run begins. */
  readonly services: Services;
  /** The log of the module. */
  readonly log: Log;
}

/**
 * Work that is repeated while the service runs. A run that takes longer than the interval delays the next one: there is
 * never more than one at a time, also across reloads of the configuration.
 *
 * @example
 * export default defineModule({
 *   name: 'shop',
 *   tasks: [{ name: 'expire-carts', every: '5m', run: ({ signal }) => expireCarts({ signal }) }],
 * });
 */
export interface BackgroundTask {
  /** Unique in its module. */
  readonly name: string;
  /** The time between the beginnings of two runs, from 100 milliseconds to 24 days. */
  readonly every: Interval;
  /** Whether the first run begins at the start of the service; defaults to false: after the interval. */
  readonly immediately?: boolean;
  /** An error is logged; the next run follows as usual. */
  run(context: TaskContext): MaybePromise<unknown>;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MIN_MS = 100;
/** Timers of Node have at most 2^31 milliseconds. */
const MAX_MS = 24 * 86_400_000;

/** Returns an interval in milliseconds; undefined if it is invalid. */
export function millisecondsOf(interval: unknown): number | undefined {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(String(interval)) ?? [];
  const ms = typeof interval === 'number' ? interval * 1_000 : Number(amount) * (UNITS[unit] ?? 0);
  return ms >= MIN_MS && ms <= MAX_MS ? ms : undefined;
}

/** Whether a value, which a module in JavaScript may have written, is a list of tasks with different names. */
export function areTasks(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one: unknown) =>
        isObject(one) &&
        typeof one.name === 'string' &&
        one.name !== '' &&
        millisecondsOf(one.every) !== undefined &&
        typeof Reflect.get(one, 'run') === 'function',
    ) &&
    new Set(value.map((one: BackgroundTask) => one.name)).size === value.length
  );
}
