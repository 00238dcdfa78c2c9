import { problem, type MaybePromise, type Problem } from '../../../framework';
import type { EntityId, ResourceContext } from '../../hosting';
import type { Row } from '../adapters/database-adapter';
import { filterOfQuery, type RowFilter } from '../query/filters/row-filter';
import { executeWrite } from '../service/writes/execute-write';
import { idOfSelected } from '../service/writes/row-input';
import type { TableAccess } from '../service/table-access';
import { bulkFilters } from './bulk-filters';
import type { BulkQueries } from './bulk-queries';
import type { RowOperations } from './bulk-writer';
import { itemContext } from './list-rules';
import { runTogether } from './run-together';

type Context = ResourceContext<unknown>;

/** Deletes the rows that a filter selects, all or none. */
export class BulkDeletion {
  readonly #access: TableAccess;
  readonly #queries: BulkQueries;
  readonly #maxItems: number;

  /** @param maxItems maximum number of rows that a request deletes */
  constructor(access: TableAccess, queries: BulkQueries, maxItems: number) {
    this.#access = access;
    this.#queries = queries;
    this.#maxItems = maxItems;
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
      executeWrite(
        this.#access,
        this.#queries[kind](filter),
        input,
        context,
        'delete',
        (rows) => rows,
        () => filter.given,
      );
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
    const run = (): Promise<void> => (by === undefined ? deleteAll() : deleteEach(by));
    await runTogether(this.#access, run, 'delete', context);
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
}
