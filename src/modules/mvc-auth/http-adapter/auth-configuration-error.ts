/** Prefixes a message with the name of its adapter. */
export function withAdapterName(adapter: string, message: string): string {
  return `Authentication adapter "${adapter}": ${message}`;
}

/** An adapter cannot be opened with its configuration. The message never contains a password or a hash. */
export class AuthConfigurationError extends Error {
  override readonly name = 'AuthConfigurationError';
  /** The configured name of the adapter. */
  readonly adapter: string;

  constructor(adapter: string, message: string, options?: ErrorOptions) {
    super(withAdapterName(adapter, message), options);
    this.adapter = adapter;
  }
}
