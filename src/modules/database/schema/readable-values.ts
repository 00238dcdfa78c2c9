import type { Row } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import type { TableColumnInfo } from '../table/table';

/** Converts a selected value to JSON. @throws DatabaseError for one that no response can have */
export function jsonValue(
  value: unknown,
  { name, codec, model }: Pick<TableColumnInfo, 'name' | 'codec' | 'model'>,
): unknown {
  // SQLite stores bytes in columns of any type.
  if (value instanceof Uint8Array && model.type !== 'binary')
    throw new DatabaseError('unreadable', `The column ${name} has bytes: declare it as BLOB.`);
  return codec.fromRow === undefined ? value : codec.fromRow(value);
}

/** Returns what throws a DatabaseError for rows with a value that no response can have. */
export function readabilityCheck(columns: readonly TableColumnInfo[]): (rows: readonly Row[]) => void {
  const checked = columns.filter(({ model }) => model.type !== 'binary');
  return (rows) => {
    for (const row of rows)
      for (const column of checked) {
        const value = row[column.name];
        // All others can be converted. Exact numbers are those of the response, and take several times as long to find.
        if (value instanceof Uint8Array || (column.model.type === 'json' && !isJson(value)))
          jsonValue(value, column);
      }
  };
}

function isJson(value: unknown): boolean {
  if (typeof value !== 'string') return true;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
