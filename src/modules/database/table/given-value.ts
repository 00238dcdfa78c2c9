import type { TableColumnInfo } from './table';

/** A value in a request. */
export interface GivenValue {
  readonly column: TableColumnInfo;
  /** Undefined for the default of the column. */
  readonly value: unknown;
  /** The JSON Pointer of a member of the body, or the name of a query parameter; {@link IDENTIFIER}. */
  readonly at: string;
  /** Whether an SQL filter computes with it, so that a valid value may fail too. */
  readonly isComputed?: boolean;
  /** Whether its column is to have it, rather than be compared with it. */
  readonly isWritten?: boolean;
}

/** The place of values in the identifier of a path. */
export const IDENTIFIER = '';
