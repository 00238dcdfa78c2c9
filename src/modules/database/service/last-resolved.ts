import type { DatabaseModel } from '../introspection/table-model';
import type { Procedure } from '../procedure/resolve-procedure';

/**
 * What the services of a database were built from last, by service: it survives reloads, and shows whether a declaration
 * that does not fit is a mistake, or the database has changed.
 */
export class LastResolved {
  readonly models = new Map<string, DatabaseModel>();
  readonly procedures = new Map<string, Procedure>();
}
