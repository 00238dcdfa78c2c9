import { problem, type MaybePromise, type Problem } from '../../../../framework';
import { formatId, type EntityId, type ResourceContext } from '../../../hosting';
import type { Row } from '../../adapters/database-adapter';
import type { QueryInput } from '../../query/expressions';
import type { TableQuery } from '../../query/table-queries';
import type { WriteGuard } from '../../query/write-statements';
import { executeWrite, type WriteAction } from './execute-write';
import type { TableAccess } from '../table-access';

type Context = ResourceContext<unknown>;

/** Builds the statement of a change for a guard. */
export type Change = (guard: WriteGuard) => TableQuery;

/** Writes one row of a table under the preconditions of the request. */
export class RowWriter {
  readonly #access: TableAccess;

  constructor(access: TableAccess) {
    this.#access = access;
  }

  /** @see executeWrite */
  write<T>(
    query: TableQuery,
    input: QueryInput,
    context: Context,
    action: WriteAction,
    convert: (rows: readonly Row[]) => MaybePromise<T>,
  ): MaybePromise<T> {
    return executeWrite(this.#access, query, input, context, action, convert);
  }

  /**
   * Executes a change under the preconditions of the request. The expected state is compared inside the statement, so
   * that no change by anybody else is lost (RFC 9110, 13.1.1).
   * @returns the changed row as `convert` returns it; undefined if there is none, or the database discarded the change
   * @throws Problem 412
   */
  change<T>(
    change: Change,
    input: QueryInput,
    context: Context,
    action: WriteAction,
    convert: (row: Row) => T,
  ): MaybePromise<T | undefined> {
    const { precondition } = context;
    if (isUnconditional(context))
      return this.write(change('none'), input, context, action, ([row]) => row && convert(row));
    const { id = '' } = input;
    const { entities, table } = this.#access;
    return this.current(id, context, (current) => {
      if (current === undefined) return undefined;
      const revision = entities.stateOf(current);
      precondition.assert(revision);
      const guard = table.revision.kind === 'hash' ? 'unchanged' : 'revision';
      return this.write(change(guard), { ...input, current, revision }, context, action, ([row]) => {
        if (row !== undefined) return convert(row);
        return this.current(id, context, (now) => {
          if (now === undefined || entities.stateOf(now) !== revision) throw this.changedMeanwhile(id);
          return undefined;
        });
      });
    });
  }

  /** Reads a row for a write, as it is stored at that moment. */
  current<T>(
    id: EntityId,
    context: Context,
    convert: (row: Row | undefined) => MaybePromise<T>,
  ): MaybePromise<T> {
    const query = this.#access.queries.byKey();
    return this.write(query, { requester: context, id }, context, 'write', ([row]) => convert(row));
  }

  /** @throws Problem 422 if the row exists that a statement should have changed: the database discarded the change */
  assertAbsent(id: EntityId, context: Context): MaybePromise<undefined> {
    return this.current(id, context, (current) => {
      if (current !== undefined) throw this.notStored(id);
      return undefined;
    });
  }

  /** 412: another client has changed the row since it was read. */
  changedMeanwhile(id: EntityId): Problem {
    return problem('changed_meanwhile', { what: this.#subject(id) });
  }

  /** 422: the database discarded the change, such as with a trigger. */
  notStored(id?: EntityId): Problem {
    return problem('not_stored', { what: this.#subject(id) });
  }

  #subject(id?: EntityId): string {
    const { service } = this.#access;
    return id === undefined ? `The entity of ${service}` : `${service} "${formatId(id)}"`;
  }
}

/** Whether a request expects no state of the row. */
export function isUnconditional({ precondition: { ifMatch, ifNoneMatch } }: Context): boolean {
  return (ifMatch === undefined || ifMatch === '*') && ifNoneMatch === undefined;
}
