import { compileFunction } from 'node:vm';
import type { Row } from '../database-adapter';
import type { DriverStatement, PreparedStatement } from './sqlite-driver';

// Worker threads load this file as well: it does not import the framework, which would slow their start.

type ToRow = (values: unknown) => Row;

/**
 * Returns a statement whose rows are plain objects like those of other drivers. `node:sqlite` creates objects without
 * prototype, as hash tables: to create and read the 26 rows of a page takes a third longer. Here it returns lists of values,
 * and generated code creates objects of one shape.
 *
 * The names of columns are read once. A statement with `*` keeps the objects of the driver, as its columns may change.
 */
export function rowStatement(statement: DriverStatement, text: string): PreparedStatement {
  if (text.includes('*')) return new RowStatement(statement, (row) => row as Row);
  const names = statement.columns().map(({ name }) => name);
  if (names.length === 0) return statement;
  statement.setReturnArrays(true);
  return new RowStatement(statement, rowMaker(names));
}

class RowStatement implements PreparedStatement {
  readonly #statement: PreparedStatement;
  readonly #toRow: ToRow;

  constructor(statement: PreparedStatement, toRow: ToRow) {
    this.#statement = statement;
    this.#toRow = toRow;
  }

  all(...parameters: readonly unknown[]): unknown[] {
    const rows = this.#statement.all(...parameters);
    for (let at = 0; at < rows.length; at += 1) rows[at] = this.#toRow(rows[at]);
    return rows;
  }

  get(...parameters: readonly unknown[]): unknown {
    const values = this.#statement.get(...parameters);
    return values === undefined ? undefined : this.#toRow(values);
  }

  *iterate(...parameters: readonly unknown[]): IterableIterator<unknown> {
    const rows = this.#statement.iterate(...parameters);
    try {
      for (const values of rows) yield this.#toRow(values);
    } finally {
      // After an error of the driver, `for` does not: the connection would keep reading this state of the database.
      rows.return?.();
    }
  }

  setReadBigInts(enabled: boolean): void {
    this.#statement.setReadBigInts(enabled);
  }
}

/** Of two columns with one name, the row has the last. */
function rowMaker(names: readonly string[]): ToRow {
  const members = names.map((name, at) => {
    const key = JSON.stringify(name);
    // As a plain key, it would set the prototype.
    return `${name === '__proto__' ? `[${key}]` : key}: values[${at}]`;
  });
  const code = `return { ${members.join(', ')} };`;
  return compileFunction(code, ['values'], { filename: 'row of SQLite' }) as ToRow;
}
