/**
 * Something an operator can mend: a setting, a file, a port. Its message says what was found, where, and
 * what to do; the entry point prints it without a stack and ends with exit code 1.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}
