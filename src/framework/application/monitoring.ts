/** Something outside the process that only some requests need, such as a database. */
export interface Dependency {
  /** For operators, e.g. `database atlas`. */
  readonly name: string;
  isAvailable(): boolean;
}

/** Labels of a measured value, e.g. `{ pool: 'atlas' }`. Their values must be bounded. */
export type MeasurementLabels = Readonly<Record<string, string>>;

/** A number that monitoring systems read. It is measured when they do. */
export interface Measurement {
  /** By the conventions of Prometheus, e.g. `apidesc_database_connections`. */
  readonly name: string;
  /** One line. */
  readonly help: string;
  /** A counter only grows, until the process ends. */
  readonly type: 'counter' | 'gauge';
  values(): Iterable<readonly [labels: MeasurementLabels, value: number]>;
}
