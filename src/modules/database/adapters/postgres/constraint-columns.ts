import type { Row, SqlValue } from '../database-adapter';
import { type PostgresFailure } from './postgres-errors';

const QUERY = `SELECT a.attname AS name FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
  WHERE c.conname = $1 AND c.conrelid = to_regclass($2) ORDER BY a.attnum`;

/** The columns of constraints, which errors about CHECK constraints do not name. */
export class ConstraintColumns {
  readonly #read: (text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>;
  readonly #columns = new Map<string, readonly string[]>();

  constructor(read: (text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>) {
    this.#read = read;
  }

  /** The columns of the constraint in an error; undefined if they are unknown. */
  async of({ schema, table, constraint }: PostgresFailure): Promise<readonly string[] | undefined> {
    if (schema === undefined || table === undefined || constraint === undefined) return undefined;
    const name = `${quote(schema)}.${quote(table)}`;
    const key = `${name} ${constraint}`;
    const known = this.#columns.get(key);
    if (known) return known;
    try {
      const columns = (await this.#read(QUERY, [constraint, name])).map((row) => String(row.name));
      this.#columns.set(key, columns);
      return columns;
    } catch {
      // The error itself is reported, without its columns.
      return undefined;
    }
  }
}

const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;
