import type { TSchema } from '@sinclair/typebox';
import type { DatabaseAdapter } from './database-adapter';

/** The environment of a database adapter. */
export interface DatabaseAdapterContext {
  /** The configured name, for messages. */
  readonly name: string;
  /** The project root, to which file paths in options are relative. */
  readonly root: string;
  /**
   * Whether the project's data may be changed; read-only commands set it to false. A factory that would create a
   * database then opens a temporary one.
   */
  readonly changesData?: boolean;
}

/**
 * Opens databases of one kind, which configuration names in `adapter`. A module adds a kind by binding a factory under
 * that name.
 */
export interface DatabaseAdapterFactory {
  /** Distinguishes it from factories of authentication adapters. */
  readonly opens: 'database';
  /** The schema of `options`, checked before `open`. */
  readonly settings: TSchema;
  /**
   * Checks what `settings` cannot express, also for a database that nothing uses yet. Opens nothing.
   * @throws ConfigurationError for what `open` would refuse
   */
  assertValid?(
    options: Readonly<Record<string, unknown>>,
    context: Pick<DatabaseAdapterContext, 'name'>,
  ): void;
  /**
   * Opens a database without waiting for a connection: one that is down never prevents the start.
   * @throws ConfigurationError for what only the operator can fix, such as a missing driver
   */
  open(options: Readonly<Record<string, unknown>>, context: DatabaseAdapterContext): DatabaseAdapter;
}

export function isDatabaseAdapterFactory(service: unknown): service is DatabaseAdapterFactory {
  return (
    typeof service === 'object' && service !== null && 'opens' in service && service.opens === 'database'
  );
}
