import { Kysely, type Driver, type TransactionSettings } from 'kysely';
import type { DatabaseAdapter } from '../adapters/database-adapter';
import type { TransactionScope } from '../batch/transaction-scope';
import { kyselyDialect } from '../query/compiled-query';
import { AdapterConnection } from './adapter-connection';

/** Creates a Kysely instance over an adapter. */
export function createKysely<Tables>(adapter: DatabaseAdapter, scope?: TransactionScope): Kysely<Tables> {
  const driver = new AdapterDriver(adapter, scope);
  return new Kysely<Tables>({ dialect: kyselyDialect(adapter.dialect, () => driver) });
}

/** The driver of Kysely over an adapter, which owns the connections. */
class AdapterDriver implements Driver {
  readonly #adapter: DatabaseAdapter;
  readonly #scope: TransactionScope | undefined;

  constructor(adapter: DatabaseAdapter, scope: TransactionScope | undefined) {
    this.#adapter = adapter;
    this.#scope = scope;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<AdapterConnection> {
    return Promise.resolve(new AdapterConnection(this.#adapter, this.#scope));
  }

  beginTransaction(connection: AdapterConnection, settings: TransactionSettings): Promise<void> {
    return connection.begin(settings);
  }

  commitTransaction(connection: AdapterConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: AdapterConnection): Promise<void> {
    return connection.rollBack();
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  /** The pool belongs to the platform. */
  destroy(): Promise<void> {
    return Promise.resolve();
  }
}
