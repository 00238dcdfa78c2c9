/** An error of a value. */
export interface ValidationError {
  /** JSON Pointer (RFC 6901) to the invalid value; empty for the whole. */
  readonly pointer: string;
  /** The JSON Schema keyword that failed. */
  readonly keyword: string;
  readonly message: string;
}

/** Validates a value; returns the value, with defaults and coerced types if configured, or the errors. */
export type Validator = (
  value: unknown,
) => { readonly value: unknown } | { readonly errors: readonly ValidationError[] };
