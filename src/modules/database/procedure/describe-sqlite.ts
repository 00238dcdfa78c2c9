import { columnType } from '../adapters/sqlite/schema/column-type';
import { openDatabase, type SqliteDatabase } from '../adapters/sqlite/sqlite-driver';
import { toDatabaseError } from '../adapters/sqlite/sqlite-errors';
import type { ColumnModel } from '../introspection/table-model';
import type { StatementDescription } from './statement-description';

/** Describes a statement without executing it. @throws DatabaseError for one that SQLite cannot compile */
export function describeSqlite(file: string, text: string): StatementDescription {
  let database: SqliteDatabase | undefined;
  try {
    database = openDatabase(file);
    const prepared = database.prepare(text);
    const program = database.prepare(`EXPLAIN ${text}`).all() as readonly Instruction[];
    return {
      parameters: [],
      columns: prepared.columns().map(({ name, type }) => ({ name, model: modelOf(type) })),
      // The second operand of the instruction that begins a transaction.
      writes: program.some(({ opcode, p2 }) => opcode === 'Transaction' && p2 !== 0),
    };
  } catch (error) {
    throw toDatabaseError(error);
  } finally {
    database?.close();
  }
}

interface Instruction {
  readonly opcode: string;
  readonly p2: number;
}

/** Null is always possible: SQLite reports no constraints. @param declared null for an expression */
function modelOf(declared: string | null): ColumnModel | undefined {
  if (declared === null) return undefined;
  const model = columnType(declared);
  return model.type === 'other' ? undefined : { ...model, declared, isNullable: true };
}
