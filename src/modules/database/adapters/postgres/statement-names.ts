import { createHash } from 'node:crypto';
import type { DatabaseModel } from '../../introspection/table-model';
import type { SqlStatement } from '../database-adapter';

/**
 * The maximum number of prepared statements per connection. The server keeps each one until the connection ends, and
 * every combination of filters that a client requests is another statement.
 */
const MAX_NAMES = 2_000;

/** Characters of all their texts: the server keeps several times as much memory. */
const MAX_LENGTH = 1_000_000;

/** A longer query has so many values that it is hardly repeated with as many. */
const MAX_QUERY = 10_000;

/**
 * Names the statements that connections prepare once. A statement that is executed for the first time has no name, as
 * it may be the only time.
 */
export class StatementNames {
  readonly #maximum: number;
  readonly #names = new Set<string>();
  #length = 0;
  /** Null after the first execution. */
  #known = new WeakMap<SqlStatement, string | null>();
  #generation = 0;
  /** A digest of the tables that were read last. */
  #tables: string | undefined;

  constructor(maximum = MAX_NAMES) {
    this.#maximum = maximum;
  }

  /** @returns undefined for a statement that is not prepared */
  nameOf(statement: SqlStatement): string | undefined {
    const { text, kind } = statement;
    if (text.length > MAX_QUERY && kind === 'read') return undefined;
    const known = this.#known.get(statement);
    if (typeof known === 'string') return known;
    if (known === undefined) {
      this.#known.set(statement, null);
      return undefined;
    }
    const name = createHash('sha1').update(`${this.#generation} ${text}`).digest('base64url');
    if (!this.#names.has(name)) {
      const isFull = this.#names.size >= this.#maximum || this.#length + text.length > MAX_LENGTH;
      if (isFull) return undefined;
      this.#names.add(name);
      this.#length += text.length;
    }
    this.#known.set(statement, name);
    return name;
  }

  /** Gives other names, so that connections prepare statements again that no longer suit their tables. */
  renew(): void {
    this.#generation++;
    this.#names.clear();
    this.#length = 0;
    this.#known = new WeakMap();
  }

  /**
   * Gives other names if tables have changed since they were read last: the server keeps the types that parameters had when
   * their statement was prepared, and would convert values of a column to its former type.
   */
  renewFor(tables: DatabaseModel): void {
    const digest = createHash('sha1').update(JSON.stringify(tables)).digest('base64url');
    if (this.#tables !== undefined && this.#tables !== digest) this.renew();
    this.#tables = digest;
  }
}
