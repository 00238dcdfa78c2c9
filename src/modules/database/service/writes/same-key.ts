import { andThen, formatPointer, type MaybePromise } from '../../../../framework';
import { failedValidation } from '../../../content-validation';
import type { EntityId, ResourceContext } from '../../../hosting';
import type { Row } from '../../adapters/database-adapter';
import type { ColumnType } from '../../introspection/table-model';
import type { Entity } from '../../table/entity';
import { executeWrite } from './execute-write';
import { idOfRow } from './row-input';
import { differentKeys, keyColumns, keyNames } from '../../table/table-key';
import type { TableAccess } from '../table-access';

/** Types of columns whose values of different texts may be equal, by their collation or padding. */
const COLLATED: readonly ColumnType[] = ['text', 'native'];

/**
 * Compares the key in a body with that in the URL, as the database does: where their texts differ, both have to be of
 * one row.
 * @throws Problem 422 if a body has another key than the URL
 */
export function assertSameKey(
  access: TableAccess,
  id: EntityId,
  data: Entity,
  context: ResourceContext<unknown>,
): MaybePromise<undefined> {
  const { table, queries } = access;
  const different = differentKeys(table, id, data);
  if (different.length === 0) return undefined;
  const refusal = failedValidation(
    different.map(({ column: { name } }) => ({
      pointer: formatPointer([name]),
      keyword: 'const',
      message: 'must be the identifier in the URL',
    })),
  );
  const areTexts = different.every(
    ({ column: { name, model } }) => COLLATED.includes(model.type) && typeof data[name] === 'string',
  );
  if (!areTexts) throw refusal;
  const given = Object.fromEntries(different.map(({ column: { name } }) => [name, data[name]]));
  const otherId = idOfRow(table, { ...keyColumns(table, id), ...given }, context);
  const rowOf = (one: EntityId): MaybePromise<Row | undefined> =>
    executeWrite(access, queries.byKey(), { requester: context, id: one }, context, 'write', ([row]) => row);
  return andThen(rowOf(id), (row) =>
    andThen(row === undefined ? undefined : rowOf(otherId), (other) => {
      const isSame = other !== undefined && keyNames(table).every((name) => row?.[name] === other[name]);
      if (!isSame) throw refusal;
      return undefined;
    }),
  );
}
