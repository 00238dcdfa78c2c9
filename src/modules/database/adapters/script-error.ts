import { DatabaseError } from './database-error';

/** A failed script of several that were to be executed together: none was. */
export class ScriptError extends DatabaseError {
  /** The index of the script; for a failed commit, after the last. */
  readonly script: number;
  /** The offset in the script that the error is about, if the database knows it. */
  readonly offset: number | undefined;

  constructor(error: DatabaseError, script: number, offset?: number) {
    super(error.kind, error.message, error);
    this.name = 'ScriptError';
    this.script = script;
    this.offset = offset;
  }
}
