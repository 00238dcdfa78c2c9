import { DatabaseError, type DatabaseErrorKind } from '../adapters/database-error';

/** Failures that may have another cause than the code: they decide the response also if it went on after them. */
const TRANSIENT: readonly DatabaseErrorKind[] = [
  'conflict',
  'timeout',
  'unwritable',
  'interrupted',
  'unavailable',
];

const ADVICE =
  'A failed statement ends its transaction. Query before you write, use ON CONFLICT, or rethrow the error.';

/** Code that caught the failure of a statement, and went on in the transaction that this had ended. */
export class ContinuedTransaction extends Error {
  /** @param who what went on */
  constructor(who: string, cause: DatabaseError) {
    super(`${who} caught the failure of a statement, and continued. ${ADVICE}`, { cause });
    this.name = 'ContinuedTransaction';
  }

  /** The error of code that went on after a failure: clients cannot have caused it, whatever the statement was about. */
  static after(failure: DatabaseError, who = 'The code of this transaction'): Error {
    return TRANSIENT.includes(failure.kind) ? failure : new ContinuedTransaction(who, failure);
  }

  /** The same error, when it is known who went on. */
  by(who: string): Error {
    return this.cause instanceof DatabaseError ? new ContinuedTransaction(who, this.cause) : this;
  }
}
