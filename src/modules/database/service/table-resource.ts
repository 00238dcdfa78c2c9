import { ownMembers, type MaybePromise } from '../../../framework';
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
  Revision,
  StreamedCollection,
} from '../../hosting';
import type { Row } from '../adapters/database-adapter';
import { filterOfBody } from '../query/filters/body-filter';
import { filterOfQuery } from '../query/filters/row-filter';
import { BulkDeletion } from '../bulk/bulk-deletion';
import { BulkQueries } from '../bulk/bulk-queries';
import { BulkWriter, type RowOperations } from '../bulk/bulk-writer';
import type { Entity } from '../table/entity';
import { identifierValues } from './problems/failed-values';
import type { GivenValue } from '../table/given-value';
import { readForBody } from './reads/body-errors';
import { executeRead } from './reads/execute-read';
import { TableLists } from './reads/table-lists';
import { assertUncounted, assertUncountedBody, streamTable } from './reads/table-stream';
import type { TableAccess } from './table-access';
import { TableWriter } from './writes/table-writer';

type Context = ResourceContext<unknown>;
type ListContext = CollectionContext;

/** The resource of a table service, unless its author overrides it. */
export class DefaultTableResource implements AnyResource {
  readonly checksPreconditions = true;
  readonly #access: TableAccess;
  readonly #lists: TableLists;
  readonly #writer: TableWriter;
  readonly #bulk: BulkWriter;
  readonly #bulkDeletion: BulkDeletion;
  readonly #own: ReturnType<typeof ownMembers>;

  constructor(access: TableAccess, paging: 'cursor' | 'page', maxItems: number) {
    this.#access = access;
    this.#lists = new TableLists(access, paging);
    this.#writer = new TableWriter(access);
    const queries = new BulkQueries(access.table);
    this.#bulk = new BulkWriter(access, this.#writer, queries);
    this.#bulkDeletion = new BulkDeletion(access, queries, maxItems);
    this.#own = ownMembers(access.table.columns.map(({ name }) => name));
  }

  fetch(id: EntityId, context: Context): MaybePromise<Entity | undefined> {
    const { queries, entities } = this.#access;
    const { fields, embed } = context.query;
    const columns = fields === undefined ? undefined : entities.requestedColumns(fields);
    const embeds = entities.requestedEmbeds(embed);
    const convert = ([row]: readonly Row[]): Entity | undefined => {
      if (row === undefined) return undefined;
      return columns === undefined && embeds.length === 0
        ? entities.tracedEntity(row)
        : entities.partialEntity(row, columns, embeds);
    };
    const given = (): readonly GivenValue[] => identifierValues(this.#access.table, id);
    return executeRead(
      this.#access,
      queries.byKey(embeds),
      { requester: context, id },
      context,
      convert,
      given,
    );
  }

  fetchAll(context: ListContext): MaybePromise<Page<Entity> | CursorPage<Entity>> {
    const { query } = context;
    const { fields, embed, count } = query;
    return this.#lists.page(context, {
      filter: filterOfQuery(this.#access.table, query),
      fields,
      embed,
      count,
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
    return Promise.resolve(readForBody(() => streamTable(this.#access, context, { ...query, filter })));
  }

  /** @param query the body of a QUERY */
  queryAll(
    query: Readonly<Record<string, unknown>>,
    context: ListContext,
  ): MaybePromise<Page<Entity> | CursorPage<Entity>> {
    const filter = filterOfBody(this.#access.table, query);
    return readForBody(() => this.#lists.page(context, { ...query, filter }));
  }

  create(data: unknown, context: Context): MaybePromise<Entity> {
    return this.#writer.create(this.#own(data as Entity), context);
  }

  update(id: EntityId, data: unknown, context: Context): MaybePromise<Entity | Created<Entity> | undefined> {
    return this.#writer.replace(id, this.#own(data as Entity), context);
  }

  patch(id: EntityId, data: unknown, context: Context): MaybePromise<Entity | undefined> {
    return this.#writer.patch(id, this.#own(data as Entity), context);
  }

  delete(id: EntityId, context: Context): MaybePromise<boolean> {
    return this.#writer.delete(id, context);
  }

  /** @param by operations on single rows, instead of statements for several */
  createList(data: readonly unknown[], context: Context, by?: RowOperations): Promise<readonly Entity[]> {
    return this.#bulk.create((data as readonly Entity[]).map(this.#own), context, by);
  }

  replaceList(
    data: readonly unknown[],
    context: Context,
    by: RowOperations = this,
  ): Promise<readonly Entity[]> {
    return this.#bulk.replace((data as readonly Entity[]).map(this.#own), context, by);
  }

  patchList(
    patches: readonly EntityPatch<unknown, EntityId>[],
    context: PatchContext<unknown, unknown, unknown>,
    by: RowOperations = this,
  ): Promise<readonly Entity[]> {
    return this.#bulk.patch(patches, context as PatchContext, by);
  }

  async deleteList(context: Context, by?: RowOperations): Promise<boolean> {
    await this.#bulkDeletion.delete(context, by);
    return true;
  }

  revision(entity: unknown): Revision {
    return this.#access.entities.revision(entity);
  }
}
