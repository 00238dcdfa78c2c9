import type { Kysely } from 'kysely';
import type { DatabaseAdapter } from '../adapters/database-adapter';
import type { TransactionScope } from '../batch/transaction-scope';
import type * as AdapterKysely from './adapter-kysely';

// Loaded on first use: a project without databases starts sooner.
const load = require;

/**
 * Returns a Kysely instance over a database of the platform. Its statements belong to the given transaction, or to that
 * of the current request; without either, the pool executes them.
 */
export function kyselyOver<Tables>(adapter: DatabaseAdapter, scope?: TransactionScope): Kysely<Tables> {
  const { createKysely } = load('./adapter-kysely') as typeof AdapterKysely;
  return createKysely(adapter, scope);
}
