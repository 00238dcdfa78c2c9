import { problem, type MaybePromise, type Problem } from '../../../framework';
import { failedValidation } from '../../content-validation';
import {
  Created,
  type EntityId,
  type EntityPatch,
  type PatchContext,
  type ResourceContext,
} from '../../hosting';
import type { Row } from '../adapters/database-adapter';
import { retryConflicts } from '../adapters/conflict-retry';
import { currentScope, inTransaction } from '../batch/transaction-scope';
import { BulkQueries, chunkSize } from './bulk-queries';
import { filterOfQuery, type RowFilter } from '../query/row-filter';
import { names } from '../query/table-queries';
import { bulkFilters } from './bulk-filters';
import { isConflictProblem, withDatabaseProblems } from '../service/problems/database-problems';
import { assertOwner } from '../service/row-restriction';
import type { Entity } from '../service/entity-mapper';
import { executeWrite, type WriteAction } from '../service/execute-write';
import { assertAddressable, assertKey, givenColumns, idOfRow, idOfSelected } from '../service/row-input';
import { DistinctRows, itemContext, keyPointer, ResultList } from './list-rules';
import { atItem, isAboutRow } from './row-problems';
import type { TableColumnInfo } from '../service/table';
import { canonicalId, canonicalKeys } from '../service/keys/table-key';
import type { TableAccess } from '../service/table-access';
import type { TableWriter } from '../service/table-writer';

type Context = ResourceContext<unknown>;

/** Operations on one row: those of the service, with its hooks. */
export interface RowOperations {
  create(data: Entity, context: Context): MaybePromise<Entity>;
  update(id: EntityId, data: Entity, context: Context): MaybePromise<Entity | Created<Entity> | undefined>;
  patch(id: EntityId, patch: unknown, context: PatchContext): MaybePromise<Entity | undefined>;
  delete(id: EntityId, context: Context): MaybePromise<boolean>;
}

/** Rows with the same columns, which one statement inserts. */
interface Chunk {
  readonly columns: readonly TableColumnInfo[];
  readonly bodies: readonly Entity[];
}

/** Changes several rows, all or none. */
export class BulkWriter {
  readonly #access: TableAccess;
  readonly #writer: TableWriter;
  readonly #queries: BulkQueries;
  readonly #maxItems: number;

  /** @param maxItems maximum number of rows that a request deletes */
  constructor(access: TableAccess, writer: TableWriter, maxItems: number) {
    this.#access = access;
    this.#writer = writer;
    this.#queries = new BulkQueries(access.table);
    this.#maxItems = maxItems;
  }

  /** @param by what creates each row; without it, statements insert several at once */
  async create(items: readonly Entity[], context: Context, by?: RowOperations): Promise<readonly Entity[]> {
    const { table, adapter } = this.#access;
    assertOwner(table.rows, context);
    const createEach = (): Promise<readonly Entity[]> => {
      const own = itemContext(context);
      return this.#each(items, (item) => (by ?? this.#writer).create(item, own), context);
    };
    const chunks = this.#chunks(items);
    // A failed statement would end the transaction of a batch, and a row without values has no list of columns.
    const isSeparate =
      currentScope(adapter) !== undefined || chunks.some(({ columns }) => columns.length === 0);
    if (by !== undefined || isSeparate) return createEach();
    await Promise.all(
      items.map((item, at) =>
        atItem(at, () => {
          assertKey(table, item);
          assertAddressable(table, item);
        }),
      ),
    );
    try {
      return await this.#insert(chunks, context);
    } catch (error) {
      if (!isAboutRow(error)) throw error;
      // Databases do not say which row of a statement they refuse.
      return createEach();
    }
  }

  /** Creates or replaces each row. */
  replace(items: readonly Entity[], context: Context, by: RowOperations): Promise<readonly Entity[]> {
    const { table, service } = this.#access;
    const rows = new DistinctRows(table);
    const own = itemContext(context);
    const replaceOne = async (item: Entity, at: number): Promise<Entity> => {
      assertKey(table, item);
      const id = idOfRow(table, { ...item, ...canonicalKeys(table, item) }, context);
      rows.assertFirst(id, at);
      const result = await by.update(id, item, own);
      if (result === undefined) throw problem('write_conflict', { service });
      const entity = result instanceof Created ? result.entity : result;
      rows.assertStored(entity, at);
      return entity;
    };
    return this.#each(items, replaceOne, context);
  }

  patch(
    patches: readonly EntityPatch<unknown, EntityId>[],
    context: PatchContext,
    by: RowOperations,
  ): Promise<readonly Entity[]> {
    const { table } = this.#access;
    const rows = new DistinctRows(table);
    const own = itemContext(context);
    const patchOne = async (
      { id: sent, patch }: EntityPatch<unknown, EntityId>,
      at: number,
    ): Promise<Entity> => {
      const id = canonicalId(table, sent);
      rows.assertFirst(id, at);
      const entity = await by.patch(id, patch, own);
      if (entity !== undefined) {
        rows.assertStored(entity, at);
        return entity;
      }
      const pointer = keyPointer(table);
      throw failedValidation([{ pointer, keyword: 'exists', message: 'does not exist' }]);
    };
    return this.#each(patches, patchOne, context);
  }

  /**
   * Deletes the rows that the filters of the query select.
   * @param by what deletes each row; without it, one statement deletes them
   * @throws Problem 400 without a filter, and for too many rows; 422 if the database keeps one of them
   */
  async delete(context: Context, by?: RowOperations): Promise<void> {
    const filter = this.#filterOf(context);
    const limit = this.#maxItems + 1;
    const input = { requester: context, operands: filter.operands, limit };
    const execute = (kind: 'delete' | 'keys'): MaybePromise<readonly Row[]> =>
      executeWrite(this.#access, this.#queries[kind](filter), input, context, 'delete', () => filter.given);
    const selected = async (): Promise<readonly EntityId[]> => {
      const rows = await execute('keys');
      if (rows.length === limit) throw this.#tooMany();
      return rows.map((row) => idOfSelected(this.#access, row, context));
    };
    const deleteEach = async (each: RowOperations): Promise<void> => {
      const ids = await selected();
      const own = itemContext(context);
      let isComplete = true;
      for (const id of ids) if (!(await each.delete(id, own))) isComplete = false;
      if (!isComplete) this.#assertNoneKept(ids, await selected());
    };
    const deleteAll = async (): Promise<void> => {
      await execute('delete');
      const ids = await selected();
      if (ids.length === 0) return;
      // Others may add rows between two statements, which see different states of the table: only those that a
      // second statement finds, and does not delete, are kept.
      await execute('delete');
      this.#assertNoneKept(ids, await selected());
    };
    await this.#together(() => (by === undefined ? deleteAll() : deleteEach(by)), 'delete', context);
  }

  /** @throws Problem 422 if a row that was to be deleted is still there */
  #assertNoneKept(before: readonly EntityId[], after: readonly EntityId[]): void {
    const known = new Set(before.map((id) => JSON.stringify(id)));
    if (after.some((id) => known.has(JSON.stringify(id)))) throw this.#notDeleted();
  }

  /** @throws Problem 400 without a filter */
  #filterOf({ query }: Context): RowFilter {
    const filters = bulkFilters(this.#access.table);
    const filter = filterOfQuery({ ...this.#access.table, filters, search: undefined }, query);
    if (filter.operands.length > 0) return filter;
    const names = filters.map(({ parameter }) => parameter).join(', ');
    throw problem('bad_request', {
      reason: `DELETE of a collection deletes the entities that a filter selects. Send at least one of: ${names}.`,
    });
  }

  #notDeleted(): Problem {
    const { service } = this.#access;
    return problem('not_deleted', { what: `The collection of ${service}` });
  }

  #tooMany(): Problem {
    const reason = `The filter selects more than ${this.#maxItems} entities, and nothing was deleted. Narrow it.`;
    return problem('bad_request', { reason });
  }

  async #insert(chunks: readonly Chunk[], context: Context): Promise<readonly Entity[]> {
    const { entities, service } = this.#access;
    const insert = async ({ columns, bodies }: Chunk): Promise<readonly Entity[]> => {
      const query = this.#queries.insert(columns, bodies.length);
      const rows = await executeWrite(this.#access, query, { requester: context, bodies }, context, 'write');
      if (rows.length < bodies.length) throw problem('not_stored', { what: `An entity of ${service}` });
      return rows.map((row) => entities.entity(row));
    };
    const [first, ...others] = chunks;
    // One row needs no transaction; of several, the database may discard some.
    if (first?.bodies.length === 1 && others.length === 0) return insert(first);
    return this.#together(
      async () => {
        const made = new ResultList();
        for (const chunk of chunks) for (const entity of await insert(chunk)) made.add(entity);
        return made.entities;
      },
      'write',
      context,
    );
  }

  /** Splits rows where their columns change, and into the sizes of statements. */
  #chunks(items: readonly Entity[]): readonly Chunk[] {
    const chunks: Chunk[] = [];
    for (let at = 0; at < items.length;) {
      const columns = givenColumns(this.#access, items[at] ?? {});
      const names = this.#namesOf(items[at]);
      let end = at + 1;
      while (end < items.length && this.#namesOf(items[end]) === names) end += 1;
      const size = chunkSize(end - at, columns.length);
      chunks.push({ columns, bodies: items.slice(at, at + size) });
      at += size;
    }
    return chunks;
  }

  #namesOf(item: Entity = {}): string {
    return names(givenColumns(this.#access, item));
  }

  /** Executes an action for each item, in one transaction. @throws Problem with pointers to the item */
  #each<Item>(
    items: readonly Item[],
    act: (item: Item, at: number) => MaybePromise<Entity>,
    context: Context,
  ): Promise<readonly Entity[]> {
    return this.#together(
      async () => {
        const results = new ResultList();
        for (const [at, item] of items.entries())
          await atItem(at, async () => results.add(await act(item, at)));
        return results.entities;
      },
      'write',
      context,
    );
  }

  /** Runs an action in one transaction, whose end can fail too; again if another transaction made it fail. */
  async #together<T>(run: () => Promise<T>, action: WriteAction, context: Context): Promise<T> {
    const { table, service, adapter } = this.#access;
    const isRepeatable = currentScope(adapter) === undefined;
    const execute = (): Promise<T> =>
      inTransaction(adapter, run, { signal: context.signal, isRepeated: isRepeatable, bound: 'whole' });
    return withDatabaseProblems({ service, table, action }, () =>
      isRepeatable ? retryConflicts(execute, context, isConflictProblem) : execute(),
    );
  }
}
