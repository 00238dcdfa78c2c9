import { andThen, problem, type MaybePromise } from '../../../../framework';
import type { CollectionContext, CursorPage, Page } from '../../../hosting';
import type { Row } from '../../adapters/database-adapter';
import type { QueryInput } from '../../query/expressions';
import {
  assertPosition,
  isLongPosition,
  positionOf,
  type EntityCursor,
  type KeysetCursor,
  type OrderKey,
} from '../../query/position';
import type { RowFilter } from '../../query/filters/row-filter';
import { estimatedRows } from '../../query/table-queries';
import type { Entity } from '../../table/entity';
import { identifierValues } from '../problems/failed-values';
import type { GivenValue } from '../../table/given-value';
import { idOfSelected } from '../writes/row-input';
import type { TableAccess } from '../table-access';
import { executeRead } from './execute-read';

/** A requested list, besides its order and page: from the parameters of a URL, or the body of a QUERY. */
export interface ListOptions {
  readonly filter: RowFilter;
  /** Names of members, separated by commas or as a list. */
  readonly fields?: unknown;
  readonly embed?: unknown;
  readonly count?: unknown;
}

/** Reads pages of the rows that requests match. */
export class TableLists {
  readonly #access: TableAccess;
  readonly #paging: 'cursor' | 'page';

  constructor(access: TableAccess, paging: 'cursor' | 'page') {
    this.#access = access;
    this.#paging = paging;
  }

  /**
   * Reads the page that a request asks for. A numbered page always has a total, one of a cursor if `count` is given; the
   * latter ends earlier where the values of its entities are long.
   *
   * @throws Problem 400 for names in `fields` and `embed` that do not exist, for a cursor that was not issued for the list,
   * and for a numbered page with too long values; the problem of a failed statement
   */
  page(context: CollectionContext, options: ListOptions): MaybePromise<Page<Entity> | CursorPage<Entity>> {
    return this.#paging === 'page'
      ? this.#numberedPage(context, options)
      : this.#cursorPage(context, options);
  }

  #cursorPage(context: CollectionContext, options: ListOptions): MaybePromise<CursorPage<Entity>> {
    // Validated by the schema of the cursor.
    const cursor = context.cursor as KeysetCursor | EntityCursor | undefined;
    if (cursor === undefined || 'at' in cursor) return this.#pageAt(context, options, cursor);
    return andThen(this.#positionOf(cursor, context), (at) =>
      this.#pageAt(context, options, { ...cursor, at }),
    );
  }

  /** Reads the position of an entity. @throws Problem 400 if there is none any more */
  #positionOf({ of: id }: EntityCursor, context: CollectionContext): MaybePromise<KeysetCursor['at']> {
    const { queries, table } = this.#access;
    const keys = queries.orderKeys(context.sort);
    const convert = ([row]: readonly Row[]): KeysetCursor['at'] => {
      if (row !== undefined) return this.#position(row, keys);
      const message = 'refers to an entity that no longer exists: start with the first page';
      const errors = [{ parameter: 'cursor', message }];
      throw problem('bad_query', { names: ['cursor'] }, { extensions: { errors } });
    };
    const given = (): readonly GivenValue[] =>
      identifierValues(table, id).map((one) => ({ ...one, at: 'cursor' }));
    return executeRead(this.#access, queries.byKey(), { requester: context, id }, context, convert, given);
  }

  /** The values of the order keys of a row, as it was selected. */
  #position(row: Row, keys: readonly OrderKey[]): KeysetCursor['at'] {
    const order = keys.map(({ column }) => column);
    const entity = this.#access.entities.entity(row, order);
    return positionOf(
      keys,
      order.map((one) => (one.hasStoredPosition ? row : entity)[one.name]),
    );
  }

  #numberedPage(
    context: CollectionContext,
    { filter, fields, embed }: ListOptions,
  ): MaybePromise<Page<Entity>> {
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
      executeRead(
        this.#access,
        list,
        input,
        context,
        (rows) => ({
          items: assertComplete(entities.page(rows, columns, embeds), rows),
          total,
        }),
        () => filter.given,
      ),
    );
  }

  #pageAt(
    context: CollectionContext,
    { filter, fields, embed, count }: ListOptions,
    cursor: KeysetCursor | undefined,
  ): MaybePromise<CursorPage<Entity>> {
    const { queries, entities, table } = this.#access;
    const { sort, page } = context;
    const columns = entities.requestedColumns(fields);
    const embeds = entities.requestedEmbeds(embed);
    const keys = queries.orderKeys(sort);
    if (cursor !== undefined) assertPosition(cursor, keys, table.dialect);
    const list = queries.list({ filter, sort, cursor, columns, embeds, isPaged: false });
    // One more row shows whether another page follows.
    const limit = page.pageSize + 1;
    const input: QueryInput = {
      requester: context,
      operands: filter.operands,
      limit,
      position: cursor?.at,
    };
    // Literals: of a spread that members follow, V8 11.3 (Node.js 20) keeps a part until the next full collection.
    const cursorAt = (row: Row, before?: true): unknown => {
      const at = this.#position(row, keys);
      return isLongPosition(at) ? { of: idOfSelected(this.#access, row, context), before } : { at, before };
    };
    const convert = (selected: readonly Row[]): CursorPage<Entity> => {
      const isReversed = cursor?.before === true;
      const items = [...entities.page(selected.slice(0, page.pageSize), columns, embeds)];
      const hasMore = items.length < selected.length;
      const ends = [selected[0], selected[items.length - 1]];
      if (isReversed) {
        items.reverse();
        ends.reverse();
      }
      const [first, last] = ends;
      const hasNext = last !== undefined && (hasMore || isReversed);
      const hasPrevious = first !== undefined && (isReversed ? hasMore : cursor !== undefined);
      return {
        items,
        next: hasNext ? cursorAt(last) : undefined,
        previous: hasPrevious ? cursorAt(first, true) : undefined,
      };
    };
    const given = (): readonly GivenValue[] => [...filter.given, ...positionValues(keys, cursor)];
    const found = executeRead(this.#access, list, input, context, convert, given);
    if (count === undefined) return found;
    return andThen(found, (result) =>
      andThen(this.#count(filter, context, count), (total) => ({ ...result, total })),
    );
  }

  #count(filter: RowFilter, context: CollectionContext, count: unknown = 'exact'): MaybePromise<number> {
    const { queries, table } = this.#access;
    const input = { requester: context, operands: filter.operands };
    // SQLite estimates no filters, and counts in a thread.
    if (count === 'estimated' && table.dialect === 'postgres')
      return executeRead(
        this.#access,
        queries.estimate(filter),
        input,
        context,
        estimatedRows,
        () => filter.given,
      );
    const total = ([row]: readonly Row[]): number => Number(row?.total ?? 0);
    return executeRead(this.#access, queries.count(filter), input, context, total, () => filter.given);
  }
}

/** The values of a cursor, which clients can write themselves. */
function positionValues(keys: readonly OrderKey[], cursor: KeysetCursor | undefined): readonly GivenValue[] {
  return keys.map(({ column }, at) => ({ column, value: cursor?.at[at], at: 'cursor' }));
}

/** Returns the entities of a page whose number says what it begins and ends with. @throws Problem 400 for too long ones */
function assertComplete(items: readonly Entity[], rows: readonly Row[]): readonly Entity[] {
  if (items.length === rows.length) return items;
  const message = `is too large for these entities, which have more than 4 MiB: use a smaller one, or select fewer members with fields`;
  const errors = [{ parameter: 'page_size', message }];
  throw problem('bad_query', { names: ['page_size'] }, { extensions: { errors } });
}
