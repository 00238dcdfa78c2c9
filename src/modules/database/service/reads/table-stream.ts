import { problem } from '../../../../framework';
import { failedValidation } from '../../../content-validation';
import { StreamedCollection, type CollectionContext } from '../../../hosting';
import type { Row } from '../../adapters/database-adapter';
import { fittingRows } from '../../adapters/row-length';
import type { RowFilter } from '../../query/filters/row-filter';
import { isInBatch } from '../../batch/transaction-scope';
import { withDatabaseProblems } from '../problems/database-problems';
import { failedValues } from '../problems/failed-values';
import type { Entity } from '../../table/entity';
import type { TableAccess } from '../table-access';

/** Characters and bytes that are converted at once: others are served after each part. */
const PART_LENGTH = 262_144;

/** What a stream has of the rows: from the parameters of a URL, or the body of a QUERY. */
export interface StreamRequest {
  readonly filter: RowFilter;
  /** Names of members, separated by commas or as a list. */
  readonly fields?: unknown;
  readonly embed?: unknown;
}

/**
 * Streams all rows that a request matches. The first batch is awaited, so that a statement that fails becomes an error
 * response; later failures abort the response.
 *
 * @throws Problem 422 in a batch of operations
 */
export async function streamTable(
  { service, table, adapter, queries, entities }: TableAccess,
  context: CollectionContext,
  { filter, ...requested }: StreamRequest,
): Promise<StreamedCollection<Entity>> {
  const { sort, event } = context;
  if (isInBatch()) throw problem('batch_not_atomic', { reason: 'its response is a stream' });
  const columns = entities.requestedColumns(requested.fields);
  const embeds = entities.requestedEmbeds(requested.embed);
  const list = queries.list({ filter, sort, columns, embeds, isPaged: false, isComplete: true });
  const input = { requester: context, operands: filter.operands };
  const batches = await withDatabaseProblems(
    {
      service,
      table,
      action: 'read',
      find: (error) => failedValues(error, filter.given, table),
      given: () => filter.given,
    },
    async () => {
      const rows = adapter.stream(list.statement, list.parametersOf(input), context);
      const started = new StartedBatches(rows[Symbol.asyncIterator](), (batch) =>
        batch.map((row) => entities.entity(row, columns, embeds)),
      );
      if (event.request.method !== 'HEAD') await started.start();
      return started;
    },
  );
  return new StreamedCollection(
    batches,
    [...columns, ...embeds].map(({ name }) => name),
  );
}

const NO_TOTAL = 'applies to pages; a stream has no total';

/** @throws Problem 400 for a count in a URL */
export function assertUncounted({ count }: Readonly<Record<string, unknown>>): void {
  if (count === undefined) return;
  const errors = [{ parameter: 'count', message: NO_TOTAL }];
  throw problem('bad_query', { names: ['count'] }, { extensions: { errors } });
}

/** @throws Problem 422 for a count in a body */
export function assertUncountedBody({ count }: Readonly<Record<string, unknown>>): void {
  if (count !== undefined)
    throw failedValidation([{ pointer: '/count', keyword: 'stream', message: NO_TOTAL }]);
}

/** Batches of rows as entities, of which the first may be read in advance. Large ones are converted in parts. */
class StartedBatches implements AsyncIterableIterator<readonly Entity[]> {
  readonly #rows: AsyncIterator<readonly Row[]>;
  readonly #convert: (rows: readonly Row[]) => readonly Entity[];
  /** What is read, but not yet converted. */
  #read: readonly Row[] = [];
  /** What was requested in advance. */
  #first: IteratorResult<readonly Entity[]> | undefined;

  constructor(rows: AsyncIterator<readonly Row[]>, convert: (rows: readonly Row[]) => readonly Entity[]) {
    this.#rows = rows;
    this.#convert = convert;
  }

  /** @throws the errors of the adapter, and those of values that cannot be converted */
  async start(): Promise<void> {
    this.#first = await this.#next();
  }

  async next(): Promise<IteratorResult<readonly Entity[]>> {
    const first = this.#first;
    this.#first = undefined;
    return first ?? this.#next();
  }

  async return(): Promise<IteratorResult<readonly Entity[]>> {
    await this.#rows.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #next(): Promise<IteratorResult<readonly Entity[]>> {
    if (this.#read.length === 0) {
      const result = await this.#rows.next();
      if (result.done === true) return { done: true, value: undefined };
      this.#read = result.value;
    }
    const part = fittingRows(this.#read, PART_LENGTH);
    this.#read = this.#read.slice(part.length);
    try {
      return { done: false, value: this.#convert(part) };
    } catch (error) {
      // Readers do not end an iteration that has failed: the rows would keep their connection.
      await this.return();
      throw error;
    }
  }
}
