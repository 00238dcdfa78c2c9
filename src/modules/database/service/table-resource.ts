import { andThen, type MaybePromise } from '../../../framework';
import type {
  AnyResource,
  CollectionContext,
  Created,
  CursorPage,
  EntityId,
  EntityPatch,
  Page,
  PatchContext,
  ResourceContext,
  StreamedCollection,
} from '../../hosting';
import type { DatabaseAdapter, Row } from '../adapters/database-adapter';
import { assertPosition, positionOf, type KeysetCursor, type OrderKey } from '../query/keyset';
import { estimatedRows, type TableQueries, type TableQuery } from '../query/table-queries';
import type { QueryInput } from '../query/expressions';
import { filterOfBody } from '../query/body-filter';
import { filterOfQuery, type RowFilter } from '../query/row-filter';
import { executorOf } from '../batch/transaction-scope';
import { BulkWriter, type RowOperations } from '../bulk/bulk-writer';
import { withDatabaseProblems, type FailedAction } from './database-problems';
import type { Entity, EntityMapper } from './entity-mapper';
import { failedValues, identifierValues } from './failed-values';
import type { GivenValue } from './given-value';
import type { Table } from './table';
import { assertUncounted, assertUncountedBody, streamTable } from './table-stream';
import { TableWriter } from './table-writer';

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

type Context = ResourceContext<unknown>;
type ListContext = CollectionContext;

/** A requested list, besides its order and page. */
interface ListOptions {
  readonly filter: RowFilter;
  /** Names of members, separated by commas or as a list. */
  readonly fields?: unknown;
  readonly embed?: unknown;
  readonly count?: unknown;
}

/** The resource of a table service, unless its author overrides it. */
export class DefaultTableResource implements AnyResource {
  readonly checksPreconditions = true;
  readonly #access: TableAccess;
  readonly #paging: 'cursor' | 'page';
  readonly #writer: TableWriter;
  readonly #bulk: BulkWriter;

  constructor(access: TableAccess, paging: 'cursor' | 'page', maxItems: number) {
    this.#access = access;
    this.#paging = paging;
    this.#writer = new TableWriter(access);
    this.#bulk = new BulkWriter(access, this.#writer, maxItems);
  }

  fetch(id: EntityId, context: Context): MaybePromise<Entity | undefined> {
    const { queries, entities } = this.#access;
    const { fields, embed } = context.query;
    const columns = fields === undefined ? undefined : entities.requestedColumns(fields);
    const embeds = entities.requestedEmbeds(embed);
    const convert = ([row]: readonly Row[]): Entity | undefined => {
      if (row === undefined) return undefined;
      const entity = entities.entity(row);
      if (columns === undefined && embeds.length === 0) return entity;
      return entities.withRevision(
        entities.entity(row, columns, embeds),
        embeds.length > 0 ? undefined : entity,
      );
    };
    const given = (): readonly GivenValue[] => identifierValues(this.#access.table, id);
    return this.#read(queries.byKey(embeds), { requester: context, id }, context, convert, given);
  }

  fetchAll(context: ListContext): MaybePromise<Page<Entity> | CursorPage<Entity>> {
    return this.#list(context, {
      ...context.query,
      filter: filterOfQuery(this.#access.table, context.query),
    });
  }

  streamAll(context: ListContext): Promise<StreamedCollection<Entity>> {
    assertUncounted(context.query);
    const filter = filterOfQuery(this.#access.table, context.query);
    return streamTable(this.#access, context, { ...context.query, filter });
  }

  /** @param query the body of a QUERY */
  streamQuery(
    query: Readonly<Record<string, unknown>>,
    context: ListContext,
  ): Promise<StreamedCollection<Entity>> {
    assertUncountedBody(query);
    const filter = filterOfBody(this.#access.table, query);
    return streamTable(this.#access, context, { ...query, filter });
  }

  /** @param query the body of a QUERY */
  queryAll(
    query: Readonly<Record<string, unknown>>,
    context: ListContext,
  ): MaybePromise<Page<Entity> | CursorPage<Entity>> {
    return this.#list(context, { ...query, filter: filterOfBody(this.#access.table, query) });
  }

  create(data: unknown, context: Context): MaybePromise<Entity> {
    return this.#writer.create(data as Entity, context);
  }

  update(id: EntityId, data: unknown, context: Context): MaybePromise<Entity | Created<Entity> | undefined> {
    return this.#writer.replace(id, data as Entity, context);
  }

  patch(id: EntityId, data: unknown, context: Context): MaybePromise<Entity | undefined> {
    return this.#writer.patch(id, data as Entity, context);
  }

  delete(id: EntityId, context: Context): MaybePromise<boolean> {
    return this.#writer.delete(id, context);
  }

  /** @param by operations on single rows, instead of statements for several */
  createList(data: readonly unknown[], context: Context, by?: RowOperations): Promise<readonly Entity[]> {
    return this.#bulk.create(data as readonly Entity[], context, by);
  }

  replaceList(
    data: readonly unknown[],
    context: Context,
    by: RowOperations = this,
  ): Promise<readonly Entity[]> {
    return this.#bulk.replace(data as readonly Entity[], context, by);
  }

  patchList(
    patches: readonly EntityPatch<unknown, EntityId>[],
    context: PatchContext<unknown, unknown, unknown>,
    by: RowOperations = this,
  ): Promise<readonly Entity[]> {
    return this.#bulk.patch(patches, context as PatchContext, by);
  }

  deleteList(context: Context, by?: RowOperations): Promise<boolean> {
    return this.#bulk.delete(context, by);
  }

  revision(entity: unknown): string | undefined {
    return this.#access.entities.revision(entity);
  }

  #list(context: ListContext, options: ListOptions): MaybePromise<Page<Entity> | CursorPage<Entity>> {
    return this.#paging === 'page'
      ? this.#numberedPage(context, options)
      : this.#cursorPage(context, options);
  }

  #numberedPage(context: ListContext, { filter, fields, embed }: ListOptions): MaybePromise<Page<Entity>> {
    const { queries, entities } = this.#access;
    const { sort, page } = context;
    const columns = entities.requestedColumns(fields);
    const embeds = entities.requestedEmbeds(embed);
    const input = {
      requester: context,
      operands: filter.operands,
      limit: page.pageSize,
      offset: page.offset,
    };
    const list = queries.list({ filter, sort, columns, embeds, isPaged: true });
    return andThen(this.#count(filter, context), (total) =>
      this.#read(
        list,
        input,
        context,
        (rows) => ({ items: rows.map((row) => entities.entity(row, columns, embeds)), total }),
        () => filter.given,
      ),
    );
  }

  #cursorPage(
    context: ListContext,
    { filter, fields, embed, count }: ListOptions,
  ): MaybePromise<CursorPage<Entity>> {
    const { queries, entities } = this.#access;
    const { sort, page } = context;
    // Validated by the schema of the cursor.
    const cursor = context.cursor as KeysetCursor | undefined;
    const columns = entities.requestedColumns(fields);
    const embeds = entities.requestedEmbeds(embed);
    const keys = queries.orderKeys(sort);
    if (cursor !== undefined) assertPosition(cursor, keys);
    const order = keys.map(({ column }) => column);
    const list = queries.list({ filter, sort, cursor, columns, embeds, isPaged: false });
    // One more row shows whether another page follows.
    const limit = page.pageSize + 1;
    const input: QueryInput = {
      requester: context,
      operands: filter.operands,
      limit,
      ...(cursor === undefined ? {} : { position: cursor.at }),
    };
    const position = (row: Row): KeysetCursor['at'] => {
      const entity = entities.entity(row, order);
      return positionOf(order.map(({ name, isStoredText }) => (isStoredText ? row[name] : entity[name])));
    };
    const convert = (selected: readonly Row[]): CursorPage<Entity> => {
      const isReversed = cursor?.before === true;
      const hasMore = selected.length === limit;
      const rows = hasMore ? selected.slice(0, -1) : [...selected];
      if (isReversed) rows.reverse();
      const [first, last] = [rows[0], rows.at(-1)];
      const hasNext = last !== undefined && (hasMore || isReversed);
      const hasPrevious = first !== undefined && (isReversed ? hasMore : cursor !== undefined);
      return {
        items: rows.map((row) => entities.entity(row, columns, embeds)),
        next: hasNext ? { at: position(last) } : undefined,
        previous: hasPrevious ? { at: position(first), before: true } : undefined,
      };
    };
    const given = (): readonly GivenValue[] => [...filter.given, ...positionValues(keys, cursor)];
    const found = this.#read(list, input, context, convert, given);
    if (count === undefined) return found;
    return andThen(found, (result) =>
      andThen(this.#count(filter, context, count), (total) => ({ ...result, total })),
    );
  }

  #count(filter: RowFilter, context: Context, count: unknown = 'exact'): MaybePromise<number> {
    const { queries, table } = this.#access;
    const input = { requester: context, operands: filter.operands };
    // SQLite estimates no filters, and counts in a thread.
    if (count === 'estimated' && table.dialect === 'postgres')
      return this.#read(queries.estimate(filter), input, context, estimatedRows, () => filter.given);
    const total = ([row]: readonly Row[]): number => Number(row?.total ?? 0);
    return this.#read(queries.count(filter), input, context, total, () => filter.given);
  }

  #read<T>(
    query: TableQuery,
    input: QueryInput,
    context: Context,
    convert: (rows: readonly Row[]) => T,
    given: () => readonly GivenValue[] = () => [],
  ): MaybePromise<T> {
    const { adapter, table, service } = this.#access;
    const find: FailedAction['find'] = (error) => failedValues(error, given(), table);
    const failed: FailedAction = { service, table, action: 'read', find, id: input.id };
    return withDatabaseProblems(failed, () =>
      andThen(
        andThen(executorOf(adapter), (executor) =>
          executor.execute(query.statement, query.parametersOf(input), context),
        ),
        convert,
      ),
    );
  }
}

/** The values of a cursor, which clients can write themselves. */
function positionValues(keys: readonly OrderKey[], cursor: KeysetCursor | undefined): readonly GivenValue[] {
  return keys.map(({ column }, at) => ({ column, value: cursor?.at[at], at: 'cursor' }));
}
