import { failedValidation, type ValidationError } from '../../content-validation';
import type { Identity } from '../../mvc-auth';
import type { Entity } from './entity-mapper';
import type { Table, TableColumnInfo } from './table';
import { isKey } from './table-key';
import type { TableAccess } from './table-resource';

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
    ({ column }) => data[column.name] === undefined && !isFixed(table, column),
  );
  if (missing.length > 0) throw failedValidation(missing.map(({ column }) => required(column)));
}

/** Whether the key of a row is one that the client may create, where `rows` restricts the key. */
export function isOwnKey(table: Table, body: Entity, identity: Identity): boolean {
  return table.rows.every(({ column, constant }) => {
    const expected = constant ?? identity.name;
    return !isKey(table, column.name) || String(body[column.name]) === String(expected);
  });
}

export function required({ name }: TableColumnInfo): ValidationError {
  return { pointer: `/${name}`, keyword: 'required', message: 'is required' };
}
