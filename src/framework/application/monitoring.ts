import type { Refusals } from '../http/limits/refusals';

/** Something outside the process that only some requests need, such as a database. */
export interface Dependency {
  /** For operators, e.g. `database atlas`. */
  readonly name: string;
  isAvailable(): boolean;
  /** The status of `/ready` if the process should get no requests at all because of it. */
  refusal?(): string | undefined;
}

/** The names of dependencies that are not available. One that throws is not: it must not make the process unready. */
export function unavailableOf(dependencies: readonly Dependency[]): readonly string[] {
  return dependencies.filter((one) => !isAvailable(one)).map(({ name }) => name);
}

function isAvailable(dependency: Dependency): boolean {
  try {
    return dependency.isAvailable();
  } catch {
    return false;
  }
}

/** Labels of a measured value, e.g. `{ pool: 'atlas' }`. Their values must be bounded. */
export type MeasurementLabels = Readonly<Record<string, string | number>>;

/** A number that monitoring systems read. It is measured when they do. */
export interface Measurement {
  /** By the conventions of Prometheus, e.g. `apidesc_database_connections`. */
  readonly name: string;
  /** One line. */
  readonly help: string;
  /** A counter only grows, until the process ends. */
  readonly type: 'counter' | 'gauge';
  /** How the values of several processes are combined; defaults to their sum. */
  readonly aggregate?: 'sum' | 'minimum' | 'maximum';
  values(): Iterable<readonly [labels: MeasurementLabels, value: number]>;
}

/** Counts what the server refused before an application handled it. */
export function refusalMeasurement(refusals: Refusals): Measurement {
  return {
    name: 'apidesc_http_refusals_total',
    help: 'Connections and requests that the server refused, by the limit that was reached.',
    type: 'counter',
    values: function* () {
      for (const [cause, total] of refusals.totals()) yield [{ cause }, total] as const;
    },
  };
}
