import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Row, SqlValue } from '../../database-adapter';
import { lengthOf, rowsOfPage } from '../../row-length';
import { SqliteConnection } from '../sqlite-connection';
import { failureOf } from '../sqlite-failure';
import { executeScripts, rollBack } from './script-transaction';
import {
  BATCH_LENGTH,
  BATCH_SIZE,
  CommitPoint,
  END,
  type ThreadData,
  type ThreadReply,
  type ThreadRequest,
} from './thread-messages';

// This file is the script of the worker threads. It does not import the framework, which would slow their start.

/** The path of the script. A thread runs no TypeScript: for the sources, which ts-jest runs, it is that of the build. */
export const THREAD_SCRIPT = __filename.replace(/([\\/])src([\\/]modules[\\/].+)\.ts$/, '$1dist$2.js');

/** Pages in the write-ahead log after which a commit of a thread copies them into the database: the default. */
const AUTO_CHECKPOINT = 1000;

/** Rows between two checks whether the statement is cancelled. */
const CHECK_INTERVAL = 64;

/** The message of a statement that was cancelled between two rows: that of SQLite. */
const INTERRUPTED = 'interrupted';

interface Cursor {
  readonly connection: SqliteConnection;
  readonly rows: Iterator<unknown>;
}

type RequestOf<T extends ThreadRequest['type']> = Extract<ThreadRequest, { type: T }>;

/** Executes the requests of the main thread. */
class SqliteThread {
  readonly #file: string;
  readonly #commitPoint: CommitPoint;
  readonly #cursors = new Map<number, Cursor>();
  #connection: SqliteConnection | undefined;
  #isInTransaction = false;

  constructor({ file, state }: ThreadData) {
    this.#file = file;
    this.#commitPoint = new CommitPoint(state);
  }

  reply(request: ThreadRequest): ThreadReply {
    try {
      return { rows: this.#process(request) };
    } catch (error) {
      return { failure: failureOf(error) };
    } finally {
      this.#commitPoint.end();
    }
  }

  close(): void {
    for (const cursor of this.#cursors.keys()) this.#release(cursor);
    this.#connection?.close();
  }

  #process(request: ThreadRequest): readonly Row[] {
    switch (request.type) {
      case 'execute':
        return this.#execute(request);
      case 'open':
        return this.#open(request);
      case 'fetch':
        return this.#fetch(request.cursor);
      case 'release':
        return this.#release(request.cursor);
      case 'scripts':
        executeScripts(this.#connected(), request, () => this.#commit());
        return [];
      case 'begin':
        this.#connected().exec('BEGIN IMMEDIATE');
        this.#isInTransaction = true;
        return [];
      case 'commit':
        this.#commit();
        return [];
      case 'rollback':
        this.#rollback();
        return [];
      case 'checkpoint':
        this.#connected().exec(`PRAGMA wal_checkpoint(${request.mode})`);
        return [];
    }
  }

  #execute({ text, parameters, mode, isPage = false }: RequestOf<'execute'>): readonly Row[] {
    if (mode === 'read') return this.#rows(text, parameters, isPage);
    const execute = (): readonly Row[] =>
      this.#connected()
        .prepare(text)
        .all(...parameters) as readonly Row[];
    if (mode === 'write') return this.#inTransaction(execute);
    // The thread of its beginning has ended.
    if (!this.#isInTransaction) throw new Error('The transaction was lost.');
    return isPage ? this.#rows(text, parameters, isPage) : execute();
  }

  #inTransaction(action: () => readonly Row[]): readonly Row[] {
    this.#connected().exec('BEGIN IMMEDIATE');
    try {
      const rows = action();
      this.#commit();
      return rows;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  /** Commits unless it is cancelled. */
  #commit(): void {
    if (!this.#commitPoint.pass()) throw new Error(INTERRUPTED);
    this.#connected().exec('COMMIT');
    this.#isInTransaction = false;
  }

  #rollback(): void {
    this.#isInTransaction = false;
    rollBack(this.#connected());
  }

  #rows(text: string, parameters: readonly SqlValue[], isPage: boolean): readonly Row[] {
    return this.#connected().read(text, parameters, (prepared) => {
      const rows = this.#uncancelled(prepared.iterate(...parameters));
      return isPage ? rowsOfPage(rows) : ([...rows] as readonly Row[]);
    });
  }

  *#uncancelled(rows: Iterable<unknown>): Iterable<unknown> {
    let count = 0;
    for (const row of rows) {
      if (count++ % CHECK_INTERVAL === 0 && this.#commitPoint.isCancelled) throw new Error(INTERRUPTED);
      yield row;
    }
  }

  #open({ cursor, text, parameters }: RequestOf<'open'>): readonly Row[] {
    // An open cursor keeps its connection at one state of the database: other statements need the newest.
    const connection = new SqliteConnection(this.#file, AUTO_CHECKPOINT);
    try {
      this.#cursors.set(cursor, { connection, rows: connection.prepare(text).iterate(...parameters) });
      return this.#fetch(cursor);
    } catch (error) {
      this.#cursors.delete(cursor);
      connection.close();
      throw error;
    }
  }

  #fetch(cursor: number): readonly Row[] {
    const batch: Row[] = [];
    const open = this.#cursors.get(cursor);
    if (open === undefined) return batch;
    for (let length = 0; batch.length < BATCH_SIZE && length < BATCH_LENGTH;) {
      const next = open.rows.next();
      if (next.done === true) {
        // Without its connection, the database can reclaim space.
        this.#release(cursor);
        break;
      }
      if (batch.length % CHECK_INTERVAL === 0 && this.#commitPoint.isCancelled) throw new Error(INTERRUPTED);
      const row = next.value as Row;
      batch.push(row);
      length += lengthOf(row);
    }
    return batch;
  }

  #release(cursor: number): readonly Row[] {
    const released = this.#cursors.get(cursor);
    this.#cursors.delete(cursor);
    released?.rows.return?.();
    released?.connection.close();
    return [];
  }

  #connected(): SqliteConnection {
    return (this.#connection ??= new SqliteConnection(this.#file, AUTO_CHECKPOINT));
  }
}

function serve(port: MessagePort, data: ThreadData): void {
  const thread = new SqliteThread(data);
  port.on('message', (request: ThreadRequest | typeof END) => {
    if (request !== END) {
      port.postMessage(thread.reply(request));
      return;
    }
    thread.close();
    // Without its port the thread has nothing to wait for, and ends by itself.
    port.close();
  });
}

if (!isMainThread && parentPort !== null && isThreadData(workerData)) serve(parentPort, workerData);

/** Whether this file is the script of the thread, rather than imported by one of another kind. */
function isThreadData(data: unknown): data is ThreadData {
  return (
    typeof data === 'object' && data !== null && 'state' in data && data.state instanceof SharedArrayBuffer
  );
}
