import type { Static, TSchema } from '@sinclair/typebox';
import type { Kysely } from 'kysely';
import type { MaybePromise } from '../../../framework';
import type { EntityId, HandlerContext } from '../../hosting';
import type { Tables } from '../query/compiled-query';

/** The type of a column's values, as far as the declaration tells: that of its `schema`. */
type ColumnValue<Column> = Column extends { readonly schema: infer Schema extends TSchema }
  ? Static<Schema>
  : unknown;

/** The values of some columns of a declaration. */
export type ColumnValues<Columns> = {
  readonly [Name in keyof Columns]?: ColumnValue<Columns[Name]> | undefined;
};

/** The request as a hook sees it, with its transaction. */
export interface HookContext<Database = Tables> extends Omit<
  HandlerContext,
  'parameters' | 'query' | 'body'
> {
  /** Decoded route parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The body as the client has sent it. */
  readonly body: unknown;
  /** Executes statements in the transaction of the operation. */
  readonly db: Kysely<Database>;
}

/**
 * Code around the writes of a table service. An operation that has hooks runs with them in one transaction, which is
 * rolled back if one of them throws, or if the entity does not exist. Hooks before a write may return other values, also of columns that are
 * `read_only` for clients.
 */
export interface TableHooks<Values = Readonly<Record<string, unknown>>, Id = EntityId> {
  /** Called before POST, and before a PUT that creates. @returns the values to write; undefined for those of the client */
  beforeCreate?(values: Values, context: HookContext): MaybePromise<Values | undefined>;
  afterCreate?(entity: Values, context: HookContext): unknown;
  /** Called before PUT and PATCH; a PATCH has the values that change. */
  beforeUpdate?(id: Id, values: Values, context: HookContext): MaybePromise<Values | undefined>;
  afterUpdate?(id: Id, entity: Values, context: HookContext): unknown;
  beforeDelete?(id: Id, context: HookContext): unknown;
  afterDelete?(id: Id, context: HookContext): unknown;
}

/** The names of hooks. */
export const hookNames = [
  'beforeCreate',
  'afterCreate',
  'beforeUpdate',
  'afterUpdate',
  'beforeDelete',
  'afterDelete',
] as const satisfies readonly (keyof TableHooks)[];
