import type { TSchema } from '@sinclair/typebox';
import type { Dialect } from '../adapters/database-adapter';
import type { ColumnModel, ForeignKeyModel, FullTextModel } from '../introspection/table-model';
import type { FilterOperator } from '../query/filters/filter-operators';
import type { ColumnCodec } from '../schema/column-codec';

/** A column of a table service, resolved against the database. */
export interface TableColumnInfo {
  readonly name: string;
  readonly model: ColumnModel;
  readonly codec: ColumnCodec;
  /** The schema of its values. */
  readonly schema: TSchema;
  /** Whether cursors have its values as they are stored: some are such as no request can have (SQLite). */
  readonly hasStoredPosition: boolean;
  /** Whether clients can write it. */
  readonly isWritable: boolean;
  /** Whether hooks and resources can write it: it has no value of the database itself, and counts no changes. */
  readonly isSettable: boolean;
}

/** A column that identifies an entity, alone or together with others. */
export interface TableKey {
  readonly column: TableColumnInfo;
  /** The route parameter that holds its value. */
  readonly parameter: string;
}

/** A filter that clients may use. */
export interface TableFilter {
  /** The query parameter: `price.gte`. */
  readonly parameter: string;
  readonly column: TableColumnInfo;
  readonly operator: FilterOperator;
  /** The SQL of a filter that is not about a column, with `:value` for the value. */
  readonly where?: string;
}

/** A restriction of every read and write. */
export interface RowRestriction {
  readonly column: TableColumnInfo;
  /** The constant, or undefined for the name of the identity or a parameter. */
  readonly constant: string | number | boolean | undefined;
  /** The route parameter that has the value. */
  readonly parameter?: string;
}

interface EmbedBase {
  /** The member, and the value of `embed`. */
  readonly name: string;
  /** That of its text in statements, which no column has: the name may have more bytes than PostgreSQL keeps. */
  readonly alias: string;
  /** The table of the embedded rows. */
  readonly target: string;
  readonly columns: readonly TableColumnInfo[];
}

/** A row of another table that clients can embed. */
export interface EntityEmbed extends EmbedBase {
  readonly kind: 'entity';
  /** The foreign key. */
  readonly column: TableColumnInfo;
  /** The column of the other table that the foreign key refers to. */
  readonly reference: string;
}

/** The table that joins the table of a service to the embedded rows. */
export interface JoinTable {
  readonly name: string;
  /** Its column that refers to the embedded rows, and the column it refers to. */
  readonly foreignKey: string;
  readonly reference: string;
}

/** Rows of another table that clients can embed as a list. */
export interface ListEmbed extends EmbedBase {
  readonly kind: 'list';
  readonly through: JoinTable | undefined;
  /** The column of the other table, or of the join table, that refers to the table of the service. */
  readonly foreignKey: string;
  /** The column of the service's table that it refers to. */
  readonly reference: string;
  readonly sort: readonly { readonly column: TableColumnInfo; readonly isDescending: boolean }[];
  readonly limit: number;
  readonly rows: readonly RowRestriction[];
  /** Whether an index begins with the foreign key. */
  readonly isIndexed: boolean;
}

export type TableEmbed = EntityEmbed | ListEmbed;

/** A full-text index. */
export interface TableSearch extends FullTextModel {
  readonly kind: 'fts5' | 'column' | 'expression';
}

/** How the state of a row is identified. */
export type RowRevision =
  | { readonly kind: 'hash' }
  | { readonly kind: 'column'; readonly column: TableColumnInfo; readonly isCounter: boolean }
  /** The transaction that last changed the row (PostgreSQL). */
  | { readonly kind: 'xmin' };

/** What a table service reads and writes: its declaration, resolved against the model of the database. */
export interface Table {
  /** The name of the table or view, with its schema if that is not the default one. */
  readonly name: string;
  readonly dialect: Dialect;
  /** The columns that clients see, in the order of the declaration. */
  readonly columns: readonly TableColumnInfo[];
  /** The columns that identify an entity. */
  readonly keys: readonly TableKey[];
  readonly foreignKeys: readonly ForeignKeyModel[];
  /** Whether clients choose the key of a new row. */
  readonly isKeyChosen: boolean;
  /** Whether the database may check the key at the commit (PostgreSQL). */
  readonly isKeyDeferrable: boolean;
  readonly filters: readonly TableFilter[];
  /** The full-text index, if clients can search. */
  readonly search: TableSearch | undefined;
  readonly embeds: readonly TableEmbed[];
  readonly rows: readonly RowRestriction[];
  readonly revision: RowRevision;
  /** Whether triggers may change rows after a statement has returned them. */
  readonly isChangedByTriggers: boolean;
}
