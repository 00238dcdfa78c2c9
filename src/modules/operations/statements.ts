import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { StatementMessage } from '../database';

/** The channel of the module `database`, by name: applications without databases do not load it. */
const STATEMENTS = 'apidesc:database:statement';

/** Observes the statements of all databases. @param observe must not throw @returns a function that ends it */
export function observeStatements(observe: (statement: StatementMessage) => void): () => void {
  const onMessage = (message: unknown): void => {
    // Only the module `database` publishes to its channel.
    observe(message as StatementMessage);
  };
  subscribe(STATEMENTS, onMessage);
  return () => void unsubscribe(STATEMENTS, onMessage);
}
