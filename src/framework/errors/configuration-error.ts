/**
 * An error that an operator can fix: a setting, a file, a port. Its message says what was found, where, and what to do.
 * The entry point prints it without a stack and exits with code 1.
 */
export class ConfigurationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfigurationError';
  }
}
