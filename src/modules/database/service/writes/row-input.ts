import { formatPointer } from '../../../../framework';
import { failedValidation, type ValidationError } from '../../../content-validation';
import { isAddressable, type EntityId } from '../../../hosting';
import type { Row } from '../../adapters/database-adapter';
import type { Entity } from '../../table/entity';
import type { Table, TableColumnInfo } from '../../table/table';
import { restrictedValue, type Requester } from '../../table/restricted-value';
import { isKey } from '../../table/table-key';
import type { TableAccess } from '../table-access';

/** Returns the writable columns that a body has. Validation has removed those that clients may not write. */
export function givenColumns(
  { table, isCustom }: Pick<TableAccess, 'table' | 'isCustom'>,
  data: Entity,
): readonly TableColumnInfo[] {
  return table.columns.filter(
    (column) =>
      (isCustom ? column.isSettable : column.isWritable) &&
      data[column.name] !== undefined &&
      !isFixed(table, column),
  );
}

/** Whether `rows` decides the value of a column. */
export function isFixed({ rows }: Pick<Table, 'rows'>, column: TableColumnInfo): boolean {
  return rows.some((row) => row.column === column);
}

/** @throws Problem 422 if clients choose the key, and the body has none */
export function assertKey(table: Table, data: Entity): void {
  if (!table.isKeyChosen) return;
  const missing = table.keys.filter(
    ({ column }) => (data[column.name] ?? null) === null && !isFixed(table, column),
  );
  if (missing.length > 0) throw failedValidation(missing.map(({ column }) => required(column)));
}

/** Bytes of the texts of a key, as JSON: they are part of paths and cursors. */
const MAX_KEY_BYTES = 2_000;

/** @throws Problem 422 if no URL could name the row */
export function assertAddressable({ keys }: Table, data: Entity): void {
  const errors = keys.flatMap(({ column: { name } }): ValidationError[] => {
    const value = data[name];
    if (typeof value !== 'string') return [];
    const pointer = formatPointer([name]);
    if (!isAddressable(value))
      return [{ pointer, keyword: 'not', message: `${NO_IDENTIFIER}: ${UNADDRESSABLE}` }];
    const most = Math.floor(MAX_KEY_BYTES / keys.length);
    if (value.length <= most / 6 || Buffer.byteLength(JSON.stringify(value)) <= most) return [];
    return [
      { pointer, keyword: 'maxLength', message: `${NO_IDENTIFIER}: must have at most ${most} bytes as JSON` },
    ];
  });
  if (errors.length > 0) throw failedValidation(errors);
}

const NO_IDENTIFIER = 'cannot be an identifier, which is part of a URL';
const UNADDRESSABLE = 'must not be empty, "." or "..", and must not have half a surrogate pair';

/** Whether the key of a row is one that the client may create, where `rows` restricts the key. */
export function isOwnKey(table: Table, body: Entity, requester: Requester): boolean {
  return table.rows.every(
    (row) =>
      !isKey(table, row.column.name) ||
      String(body[row.column.name]) === String(restrictedValue(row, requester)),
  );
}

/** Returns the identifier of a row; `rows` and the route decide members that a body need not have. */
export function idOfRow({ keys, rows }: Table, row: Entity, requester: Requester): EntityId {
  const texts = keys.map(({ column, parameter }): [string, string] => {
    const restriction = rows.find((one) => one.column === column);
    const value = restriction === undefined ? row[column.name] : restrictedValue(restriction, requester);
    return [parameter, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  const [only] = texts;
  return texts.length === 1 && only !== undefined ? only[1] : Object.fromEntries(texts);
}

/**
 * The identifier of a row, as it was selected: with the JSON values of bytes and booleans, since no URL has the stored
 * ones.
 */
export function idOfSelected(
  { table, entities }: Pick<TableAccess, 'table' | 'entities'>,
  row: Row,
  requester: Requester,
): EntityId {
  const columns = table.keys.map(({ column }) => column);
  const values = entities.entity(row, columns);
  const key = columns.map(({ name, model }): [string, unknown] => {
    const isConverted = model.type === 'boolean' || model.type === 'binary';
    return [name, isConverted ? values[name] : row[name]];
  });
  return idOfRow(table, Object.fromEntries(key), requester);
}

export function required({ name }: TableColumnInfo): ValidationError {
  return { pointer: formatPointer([name]), keyword: 'required', message: 'is required' };
}
