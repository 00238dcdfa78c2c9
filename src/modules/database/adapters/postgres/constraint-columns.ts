import type { Row, SqlValue } from '../database-adapter';
import { type PostgresFailure } from './postgres-errors';
import { quotedName } from './qualified-name';

const QUERY = `SELECT name FROM (
  SELECT a.attname AS name, a.attnum FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
  WHERE c.conname = $1 AND c.conrelid = to_regclass($2)
  UNION
  -- An index without a constraint: its columns, and those in its expressions, but not those of its predicate.
  SELECT a.attname, a.attnum FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
  JOIN pg_attribute a ON a.attrelid = i.indrelid
    AND (a.attnum = ANY (i.indkey) OR position(':varattno ' || a.attnum || ' ' IN i.indexprs::text) > 0)
  WHERE x.relname = $1 AND i.indrelid = to_regclass($2) AND a.attnum > 0
) columns ORDER BY attnum`;

/** The columns of constraints and indexes, which errors about CHECK constraints and long index entries do not name. */
export class ConstraintColumns {
  readonly #read: (text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>;
  readonly #columns = new Map<string, readonly string[]>();

  constructor(read: (text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>) {
    this.#read = read;
  }

  /** The columns of the constraint in an error; undefined if they are unknown. */
  async of({ schema, table, constraint }: PostgresFailure): Promise<readonly string[] | undefined> {
    if (schema === undefined || table === undefined || constraint === undefined) return undefined;
    const name = `${quotedName(schema)}.${quotedName(table)}`;
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
