import type { Log, Measurement, MeasurementLabels } from '../../../framework';

/** A measurement with its values. */
export interface MeasuredMetric extends Pick<Measurement, 'name' | 'help' | 'type' | 'aggregate'> {
  readonly values: readonly (readonly [labels: MeasurementLabels, value: number])[];
}

/** Reads measurements, which modules add: one that fails is left out, and is logged once until it succeeds. */
export class MeasurementReader {
  readonly #log: () => Log;
  readonly #failed = new Set<string>();

  constructor(log: () => Log) {
    this.#log = log;
  }

  read(measurements: Iterable<Measurement>): readonly MeasuredMetric[] {
    return Array.from(measurements).flatMap((one) => this.#read(one) ?? []);
  }

  #read(measurement: Measurement): MeasuredMetric | undefined {
    const { name, help, type, aggregate } = measurement;
    try {
      const values = Array.from(
        measurement.values(),
        ([labels, value]) => [{ ...labels }, numberOf(value)] as const,
      );
      this.#failed.delete(name);
      return { name, help, type, ...(aggregate === undefined ? {} : { aggregate }), values };
    } catch (err) {
      if (!this.#failed.has(name))
        this.#log().error(
          { module: 'operations', err, metric: name },
          'A metric cannot be measured, and is left out.',
        );
      this.#failed.add(name);
      return undefined;
    }
  }
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  // Counts as database drivers return them.
  if (typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)))
    return Number(value);
  throw new TypeError(`${String(value)} is not a number.`);
}
