import { problem, type MaybePromise } from '../../../framework';
import { failedValidation } from '../../content-validation';
import {
  Created,
  type EntityId,
  type EntityPatch,
  type PatchContext,
  type ResourceContext,
} from '../../hosting';
import { currentScope } from '../batch/transaction-scope';
import { chunkSize, type BulkQueries } from './bulk-queries';
import { names } from '../query/table-queries';
import { assertOwner } from '../service/row-restriction';
import type { Entity } from '../table/entity';
import { executeWrite } from '../service/writes/execute-write';
import { assertAddressable, assertKey, givenColumns, idOfRow } from '../service/writes/row-input';
import { DistinctRows, itemContext, keyPointer, ResultList } from './list-rules';
import { atItem, isAboutRow } from './row-problems';
import { runTogether } from './run-together';
import type { TableColumnInfo } from '../table/table';
import { canonicalId, canonicalKeys } from '../table/table-key';
import type { TableAccess } from '../service/table-access';
import type { TableWriter } from '../service/writes/table-writer';

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

/** Creates and changes several rows, all or none. */
export class BulkWriter {
  readonly #access: TableAccess;
  readonly #writer: TableWriter;
  readonly #queries: BulkQueries;

  constructor(access: TableAccess, writer: TableWriter, queries: BulkQueries) {
    this.#access = access;
    this.#writer = writer;
    this.#queries = queries;
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
      rows.assertFirst(canonicalId(table, id), at);
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

  async #insert(chunks: readonly Chunk[], context: Context): Promise<readonly Entity[]> {
    const { entities, service } = this.#access;
    const insert = ({ columns, bodies }: Chunk): MaybePromise<readonly Entity[]> => {
      const query = this.#queries.insert(columns, bodies.length);
      return executeWrite(this.#access, query, { requester: context, bodies }, context, 'write', (rows) => {
        if (rows.length < bodies.length) throw problem('not_stored', { what: `An entity of ${service}` });
        return rows.map((row) => entities.entity(row));
      });
    };
    const [first, ...others] = chunks;
    // One row needs no transaction; of several, the database may discard some.
    if (first?.bodies.length === 1 && others.length === 0) return insert(first);
    return runTogether(
      this.#access,
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
    return runTogether(
      this.#access,
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
}
