import type { PoolClient, QueryResult } from 'pg';
import type { Row, Rows, SqlStatement } from '../../database-adapter';
import { PageRows } from '../../row-length';
import { Deadline } from '../deadline';
import { postgresDriver } from '../postgres-driver';
import { needsAnotherConnection } from '../postgres-errors';

/** Milliseconds that a cancelled statement has to end; then its connection is closed. */
export const CANCEL_TIMEOUT_MS = 1000;

/** A statement, or several without parameters. */
export type Query =
  | string
  | (Pick<SqlStatement, 'text' | 'isPage'> & {
      readonly name?: string;
      readonly values?: readonly unknown[];
    });

/** A connection that one statement or transaction uses. It is released once. */
export class Connection {
  readonly #client: PoolClient;
  readonly #cancelBackend: (pid: number) => Promise<void>;
  #running: Promise<unknown> | undefined;
  #isLost = false;
  /** That of the last statement. */
  #name: string | undefined;

  constructor(client: PoolClient, cancelBackend: (pid: number) => Promise<void>) {
    this.#client = client;
    this.#cancelBackend = cancelBackend;
  }

  /** @throws the errors of the driver */
  query(query: Query): Promise<QueryResult<Row>> {
    const config =
      typeof query === 'string' ? { text: query } : { ...query, values: [...(query.values ?? [])] };
    this.#name = typeof query === 'string' ? undefined : query.name;
    // Without a callback, the promises of the driver keep results alive until the next full garbage collection.
    const running = new Promise<QueryResult<Row>>((resolve, reject) => {
      const failed = (error: Error): void => {
        this.#isLost ||= needsAnotherConnection(error);
        reject(error);
      };
      if (typeof query !== 'string' && query.isPage === true) {
        const rows = new PageRows();
        // With a callback, as a `query_timeout` in the URL makes the driver report errors to callbacks only.
        const ended = (error: Error | undefined, result: QueryResult<Row>): void => {
          if (error) failed(error);
          else resolve({ ...result, rows: rows.read });
        };
        const page = new (postgresDriver().Query)<Row>(config, undefined, ended);
        page.on('row', (row, result) => {
          rows.add(row);
          // The driver keeps the rows for the callback.
          if (result !== undefined) result.rows.length = 0;
        });
        this.#client.query(page);
      } else {
        this.#client.query<Row>(config, (error: Error | undefined, result) => {
          if (error) failed(error);
          else resolve(result);
        });
      }
    });
    this.#running = running;
    return running;
  }

  /** Cancels the running statement, and waits until the connection can be used again or is lost. */
  async cancel(): Promise<void> {
    const running = this.#running;
    // Until the request to cancel has arrived, the connection must execute nothing else.
    const cancelled = Promise.all([
      this.#cancelBackend(pidOf(this.#client)),
      running?.catch(() => undefined),
    ]);
    try {
      await new Deadline({}, CANCEL_TIMEOUT_MS).wait(cancelled, () => this.discard());
    } catch {
      this.discard();
    }
  }

  /** Whether the last statement is one that the connection has prepared. */
  get isPrepared(): boolean {
    return this.#name !== undefined && Object.hasOwn(preparedOn(this.#client), this.#name);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Closes the connection when it is released. */
  discard(): void {
    this.#isLost = true;
  }

  release(): void {
    this.#client.release(this.#isLost);
  }
}

/** The rows of a result; with their number for an `adHoc` statement. */
export function rowsOf({ rows, rowCount }: QueryResult<Row>, statement?: SqlStatement): Rows {
  return statement?.adHoc === true ? Object.assign(rows, { affected: rowCount ?? 0 }) : rows;
}

/** The process of the server that serves a connection. */
function pidOf(client: PoolClient): number {
  return (client as PoolClient & { readonly processID: number }).processID;
}

/** The statements that a connection has prepared, by name. */
function preparedOn(client: PoolClient): object {
  const { connection } = client as PoolClient & {
    readonly connection: { readonly parsedStatements: object };
  };
  return connection.parsedStatements;
}
