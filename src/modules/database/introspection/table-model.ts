/** The tables and views of a database by name, as introspection reads them and as a snapshot stores them: plain JSON. */
export interface DatabaseModel {
  readonly tables: Readonly<Record<string, TableModel>>;
  /** Of a snapshot: tables as they were before they, or parts of them, were removed. */
  readonly formerTables?: Readonly<Record<string, TableModel>>;
  /** The virtual tables (SQLite), which services can read through views only. Not of a snapshot. */
  readonly virtualTables?: readonly string[];
}

/** A table or view. */
export interface TableModel {
  /** With the schema if it is not the default one: `sales.orders`. */
  readonly name: string;
  readonly kind: 'table' | 'view';
  /** True for a view that is stored: its rows have an `xmin` as those of tables (PostgreSQL). */
  readonly isMaterialized?: boolean;
  readonly comment?: string;
  /** In the order of the table. */
  readonly columns: Readonly<Record<string, ColumnModel>>;
  /** Columns of the primary key, in its order; empty for a view or a table without one. */
  readonly primaryKey: readonly string[];
  /** Columns of each unique constraint or unique index without a condition, besides the primary key. */
  readonly unique: readonly (readonly string[])[];
  /** The unique keys, also a primary one, that PostgreSQL may check at the commit. */
  readonly deferrable?: readonly (readonly string[])[];
  /** Columns of each index without a condition, in its order, unique ones and the primary key included. */
  readonly indexes: readonly (readonly string[])[];
  readonly foreignKeys: readonly ForeignKeyModel[];
  readonly fullText?: FullTextModel;
  /** True if triggers may change its rows after a statement has returned them. */
  readonly isChangedByTriggers?: boolean;
}

/** A full-text index of a table. */
export interface FullTextModel {
  /** The FTS5 table (SQLite, `content` of this table), or the `tsvector` column or expression (PostgreSQL). */
  readonly name: string;
  /** Whether the name is an expression. */
  readonly isExpression?: boolean;
  /** The column that the FTS5 table refers to, if it is not the rowid. */
  readonly key?: string;
  /** The text search configuration, if it is known. */
  readonly configuration?: string;
}

/** The kind of values of a column, which decides schema and conversion. */
export type ColumnType =
  | 'boolean'
  | 'integer'
  /** Beyond 2^53: a string in JSON. */
  | 'bigint'
  | 'number'
  /** Exact decimals: a string in JSON. */
  | 'decimal'
  | 'text'
  | 'date'
  | 'time'
  | 'timestamp'
  /** A timestamp with time zone. */
  | 'timestamptz'
  | 'uuid'
  | 'json'
  /** Base64 in JSON. */
  | 'binary'
  /** A type of PostgreSQL with a notation of its own, such as `inet`: a string in JSON, which the database parses. */
  | 'native'
  /** Types without a mapping, such as `tsvector`; readable as text, not writable. */
  | 'other';

/** A column of a table or view. */
export interface ColumnModel {
  readonly type: ColumnType;
  /** Arrays (PostgreSQL): the type is that of an element. */
  readonly isArray?: boolean;
  /** Of an array that is declared with several: its items may be lists, as PostgreSQL does not enforce the number. */
  readonly dimensions?: number;
  /** As declared, e.g. `character varying(20)`, for messages and drift. */
  readonly declared: string;
  /**
   * The name of the type without domains, where the kind of values does not tell: `inet` and `money` of PostgreSQL, `any` of
   * a STRICT table of SQLite.
   */
  readonly base?: string;
  /** The enum as SQL, of a domain over it, which operators of the enum do not accept (PostgreSQL). */
  readonly enumType?: string;
  /** Whether texts of different characters may be equal by its collation (PostgreSQL). */
  readonly isNondeterministic?: boolean;
  readonly isNullable: boolean;
  /**
   * True for a part of a primary key in which rows of other programs may have NULL (SQLite): less than any value. Requests
   * cannot store it.
   */
  readonly isNullableKey?: boolean;
  /** The SQL of its default; undefined without one. */
  readonly default?: string;
  /** `identity`: assigned on insert (AUTOINCREMENT, rowid, serial, identity). `always`: computed, never writable. */
  readonly generated?: 'identity' | 'always';
  readonly maxLength?: number;
  readonly precision?: number;
  readonly scale?: number;
  /** Values of an enum type, or of a CHECK that lists them. */
  readonly values?: readonly (string | number)[];
  /** JSON Schema keywords that simple CHECK clauses express. */
  readonly constraints?: ColumnConstraints;
  readonly comment?: string;
}

/** Keywords of JSON Schema; lengths are numbers of characters. */
export interface ColumnConstraints {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** A foreign key; its columns are in the order of those that they refer to. */
export interface ForeignKeyModel {
  readonly columns: readonly string[];
  readonly table: string;
  /** Columns of the other table. */
  readonly references: readonly string[];
}
