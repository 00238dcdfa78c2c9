import { channel } from 'node:diagnostics_channel';
import type { MvcEvent } from '../../../../framework';
import type { Dialect } from '../database-adapter';
import type { DatabaseError } from '../database-error';

/** The message of `apidesc:database:statement`. Contains no parameters, which are values of clients. */
export interface StatementMessage {
  /** The configured name of the adapter. */
  readonly adapter: string;
  readonly dialect: Dialect;
  /** With placeholders for parameters. */
  readonly text: string;
  /** `performance.now()` when it was executed. */
  readonly started: number;
  /** In milliseconds; of a stream, until its last row was read. */
  readonly duration: number;
  /** The number of returned rows; undefined if it failed. */
  readonly rows: number | undefined;
  readonly error: DatabaseError | undefined;
  /** The request; known while requests are traced or timed, and with `platform-hosting.context_storage`. */
  readonly event: MvcEvent | undefined;
}

/** A statement has been executed, or has failed. */
export const statementChannel = channel('apidesc:database:statement');
