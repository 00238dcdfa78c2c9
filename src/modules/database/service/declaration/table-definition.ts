import type { Newable } from 'inversify';
import type { OperationHooks, RestServiceDefinition } from '../../../hosting';
import type { Dialect } from '../../adapters/database-adapter';
import type { ColumnValues, TableHooks } from '../../custom/table-hooks';
import type { AnyTableResource } from '../../custom/table-resource';
import type { FilterOperator } from '../../query/filters/filter-operators';
import type { ColumnSettings } from '../../schema/column-schema';

declare module '../../../hosting' {
  interface CustomServices {
    table: TableServiceDefinition;
  }
}

/** A filter that is a condition in SQL, for what columns and operators cannot express. */
export interface SqlFilterDefinition {
  /**
   * The condition, with `:value` for the value of the parameter: `lower(name) = lower(:value)`; by dialect if the SQL
   * differs.
   */
  readonly where: string | Readonly<Record<Dialect, string>>;
  readonly description?: string;
  /**
   * Whether the value is converted to lower case, that of all of Unicode: `lower()` of SQLite, and of PostgreSQL in some
   * locales, only converts ASCII. Defaults to false.
   */
  readonly lower_case?: boolean;
  /** JSON Schema of the value; defaults to a text of at least one character. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** A relation that clients can embed: `?embed=maker`. */
export interface EmbedDefinition {
  /** The name of the member; defaults to the name of the column without `_id`. */
  readonly name?: string;
  /** Columns of the other table; nothing else is selected. */
  readonly columns: readonly string[];
}

/** Rows of another table that clients can embed as a list: `?embed=products`. */
export interface ListEmbedDefinition {
  /** The table of the embedded rows. */
  readonly table_name: string;
  /** Columns of that table; nothing else is selected. */
  readonly columns: readonly string[];
  /** The table that joins both, if the rows are not found by a foreign key of their own. */
  readonly through?: string;
  /** The column that refers to the table of the service; only needed if several columns do. */
  readonly foreign_key?: string;
  /** Columns by which the rows are sorted, with the prefix `-` for descending order; defaults to the primary key. */
  readonly sort?: readonly string[];
  /** Maximum number of rows; defaults to 100. */
  readonly limit?: number;
  /** Restricts the rows, like `rows` of the service: `{ owner: 'identity.name' }`, or a constant. */
  readonly rows?: Readonly<Record<string, string | number | boolean>>;
}

/** A column of a table service. */
export interface TableColumn extends ColumnSettings {
  /** Lets clients embed the row that this foreign key refers to; null removes an inherited one. */
  readonly embed?: EmbedDefinition | null;
}

/**
 * A REST service over a table or view. Only the named columns are ever selected or written; schemas follow from the
 * database. In configuration: `"kind": "table"`.
 */
export interface TableServiceDefinition extends Omit<
  RestServiceDefinition,
  'kind' | 'fields' | 'input' | 'resource' | 'cursor' | 'hooks'
> {
  readonly kind: 'table';
  /** The key in `platform-db.adapters`. */
  readonly adapter_name: string;
  /** A table or view; with its schema if that is not the default one. */
  readonly table_name: string;
  /** The columns that clients see, by name. */
  readonly columns: Readonly<Record<string, TableColumn | null>>;
  /** Lists of related rows that clients can embed, by the name of the member. */
  readonly embeds?: Readonly<Record<string, ListEmbedDefinition | null>>;
  /** The filters that clients may use, by column: `{ price: ['gte', 'lte'] }` allows `?price.gte=10`. */
  readonly filters?: Readonly<Record<string, readonly FilterOperator[] | null>>;
  /** Further filters that clients may use, by query parameter. */
  readonly sql_filters?: Readonly<Record<string, SqlFilterDefinition | null>>;
  /** Whether clients can search with `?q=`, by the full-text index of the table; defaults to false. */
  readonly search?: boolean;
  /**
   * Whether clients can combine the filters by `and`, `or` and `not` in the body of a `QUERY`, or of
   * `POST <collection>/query`; defaults to true.
   */
  readonly nested_filters?: boolean;
  /**
   * Restricts every read and write to some rows: `{ owner: 'identity.name' }`, or a constant. Such a column is set on
   * create. Guests match no row of an identity.
   */
  readonly rows?: Readonly<Record<string, string | number | boolean>>;
  /**
   * What identifies the state of a row: a column, or `xmin` (PostgreSQL). An integer column is incremented by each
   * change. Defaults to a hash of the columns.
   */
  readonly revision?: string;
  /** How a collection is paged; defaults to `cursor`. */
  readonly paging?: 'cursor' | 'page';
  /** Code before and after writes, or its container name. */
  readonly hooks?: (TableHooks & OperationHooks) | string;
  /** A class that extends `TableResource`, or its container name: overrides operations. */
  readonly resource?: Newable<AnyTableResource> | string;
}

/** A declaration whose hooks know its columns and identifier. */
type TypedTableService<Columns, Identifier extends TableServiceDefinition['route_identifier_name']> = Omit<
  TableServiceDefinition,
  'kind' | 'columns' | 'route_identifier_name' | 'hooks'
> & {
  readonly columns: Columns;
  readonly route_identifier_name: Identifier;
  readonly hooks?:
    | (TableHooks<
        ColumnValues<Columns>,
        Identifier extends readonly string[] ? Readonly<Record<Identifier[number], string>> : string
      > &
        OperationHooks)
    | string;
};

/** Declares a service over a table or view. */
export function defineTableService<
  const Columns extends TableServiceDefinition['columns'],
  const Identifier extends TableServiceDefinition['route_identifier_name'] = string,
>(definition: TypedTableService<Columns, Identifier>): TableServiceDefinition {
  return { kind: 'table', ...definition };
}
