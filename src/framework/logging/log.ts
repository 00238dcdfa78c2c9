/**
 * The logger interface of the framework, a subset of pino's. `module` in the details is the module that the line
 * belongs to; it decides the level (`log.levels`). Modules in JavaScript may pass a message or an error alone.
 */
export interface Log {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
  debug?(details: object, message: string): void;
}
