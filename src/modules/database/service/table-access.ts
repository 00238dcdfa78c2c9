import type { DatabaseAdapter } from '../adapters/database-adapter';
import type { TableQueries } from '../query/table-queries';
import type { EntityMapper } from './entity-mapper';
import type { Table } from '../table/table';

/** What the parts of a table service share. */
export interface TableAccess {
  readonly service: string;
  readonly table: Table;
  readonly adapter: DatabaseAdapter;
  readonly queries: TableQueries;
  readonly entities: EntityMapper;
  /** Whether code of the author may write columns that clients may not. */
  readonly isCustom: boolean;
}
