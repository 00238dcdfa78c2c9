import type { ColumnModel } from '../introspection/table-model';

/** What a database knows about a statement. */
export interface StatementDescription {
  /** The types of the parameters, in their order; undefined for unknown ones. */
  readonly parameters: readonly (ColumnModel | undefined)[];
  /** The columns of the result; undefined if the database describes none for this statement. */
  readonly columns: readonly DescribedColumn[] | undefined;
  /** Whether it is known to change data. */
  readonly writes: boolean;
}

export interface DescribedColumn {
  readonly name: string;
  /** Undefined for the result of an expression (SQLite). */
  readonly model: ColumnModel | undefined;
}
