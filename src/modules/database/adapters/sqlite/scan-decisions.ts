import { performance } from 'node:perf_hooks';
import { StatementCache } from '../statement-cache';
import type { SqliteConnection } from './sqlite-connection';
import { type Instruction, type StatementWalks, unboundedWalks } from './statement-plan';

/** Rows that a statement may walk through on the main thread: about a millisecond. */
const MAX_ROWS = 2000;

/** Milliseconds after which the sizes of tables are read again. */
const SIZE_LIFETIME_MS = 1000;

/**
 * Milliseconds that a statement should not take on the main thread; how often in a row it may, since the system may
 * have been busy; and for how long it then runs in a thread.
 */
const SLOW_MS = 10;
const MAX_SLOW = 3;
const SLOW_LIFETIME_MS = 60_000;

/** Characters of a text which takes the main thread some milliseconds to compile: one with thousands of parameters. */
const MAX_TEXT = 20_000;

/** The first page of a file is the schema, which does not contain itself. */
const SCHEMA_PAGE = 1;

interface Decision {
  /** The tables that it walks through; undefined if the work is unknown. */
  readonly tables: readonly string[] | undefined;
  /** An upper bound of the rows that it walks through. */
  rows: number;
  checkedAt: number;
  /** Slow executions in a row. */
  slow: number;
  slowUntil: number;
}

/** A statement without parts, or a part, has a text only. */
interface StatementTexts {
  readonly text: string;
  readonly parts?: readonly { readonly text: string }[];
}

/** Decides which statements run in a thread, since they may read more rows than the main thread can wait for. */
export class ScanDecisions {
  readonly #connection: SqliteConnection;
  readonly #decisions = new StatementCache<Decision>();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /**
   * Whether a statement, or its parts together, may walk through more rows.
   * @throws the errors of SQLite for a statement that it cannot compile
   */
  isScan({ text, parts = [{ text }] }: StatementTexts): boolean {
    // Each part repeats the conditions of the statement, and is compiled as well.
    if (text.length > MAX_TEXT) return true;
    let rows = 0;
    return parts.some((part) => (rows += this.#rowsWalked(part.text)) > MAX_ROWS);
  }

  /** Reports how long a statement took on the main thread. */
  measured({ text }: StatementTexts, milliseconds: number): void {
    const decision = this.#decisions.get(text);
    if (decision === undefined) return;
    decision.slow = milliseconds < SLOW_MS ? 0 : decision.slow + 1;
    if (decision.slow < MAX_SLOW) return;
    decision.slow = 0;
    decision.slowUntil = performance.now() + SLOW_LIFETIME_MS;
  }

  /** An upper bound of the rows that a statement walks through; infinite if it has been slow. */
  #rowsWalked(text: string): number {
    const decision = this.#decisions.get(text) ?? this.#add(text);
    const { tables, slowUntil } = decision;
    if (tables === undefined) return Infinity;
    if (tables.length === 0 && slowUntil === 0) return 0;
    const now = performance.now();
    if (now < slowUntil) return Infinity;
    if (tables.length === 0) return 0;
    if (now - decision.checkedAt > SIZE_LIFETIME_MS) {
      decision.rows = this.#sizeOf(tables);
      decision.checkedAt = now;
    }
    return decision.rows;
  }

  #add(text: string): Decision {
    const decision = {
      tables: this.#tablesOf(text),
      rows: Infinity,
      checkedAt: -Infinity,
      slow: 0,
      slowUntil: 0,
    };
    return this.#decisions.add(text, decision, text.length);
  }

  /** The tables of which a statement may read any number of rows. */
  #tablesOf(text: string): readonly string[] | undefined {
    const walks = this.#walksOf(text);
    if (walks.isUnknown) return undefined;
    const tables = walks.rootPages.map((page) => this.#tableAt(page));
    return tables.every((table) => table !== undefined) ? tables : undefined;
  }

  #walksOf(text: string): StatementWalks {
    const instructions = this.#connection.rows(`EXPLAIN ${text}`) as readonly Instruction[];
    const steps = this.#connection.rows(`EXPLAIN QUERY PLAN ${text}`) as readonly { detail: string }[];
    return unboundedWalks(
      instructions,
      steps.map(({ detail }) => detail),
    );
  }

  #tableAt(rootPage: number): string | undefined {
    if (rootPage === SCHEMA_PAGE) return 'sqlite_schema';
    const query = 'SELECT tbl_name AS name FROM sqlite_schema WHERE rootpage = ?';
    const row = this.#connection.prepare(query).get(rootPage) as { readonly name: string } | undefined;
    return row?.name;
  }

  /** An upper bound of the rows that nested loops over the tables read. */
  #sizeOf(tables: readonly string[]): number {
    return tables.reduce((product, table) => product * this.#rowsOf(table), 1);
  }

  #rowsOf(table: string): number {
    try {
      const query = `SELECT max(rowid) AS size FROM "${table.replaceAll('"', '""')}"`;
      const { size } = this.#connection.prepare(query).get() as { readonly size: number | null };
      return Math.max(size ?? 0, 1);
    } catch {
      // A table WITHOUT ROWID.
      return Infinity;
    }
  }
}
