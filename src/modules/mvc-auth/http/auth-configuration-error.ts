/** A message as an adapter's own. */
export function inTheNameOf(adapter: string, message: string): string {
  return `Authentication adapter "${adapter}": ${message}`;
}

/**
 * An adapter cannot be built from its configuration. The message says what was found, where, what is allowed
 * and what to do; it never holds a password or a hash.
 */
export class AuthConfigurationError extends Error {
  override readonly name = 'AuthConfigurationError';
  /** The adapter as it is named in configuration. */
  readonly adapter: string;

  constructor(adapter: string, message: string, options?: ErrorOptions) {
    super(inTheNameOf(adapter, message), options);
    this.adapter = adapter;
  }
}
