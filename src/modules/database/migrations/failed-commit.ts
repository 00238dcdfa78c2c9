import type { DatabaseAdapter, Dialect, ScriptOptions } from '../adapters/database-adapter';
import { ScriptError } from '../adapters/script-error';

/** Fails if constraints that are deferred until the commit are violated. */
const CHECK: Readonly<Record<Dialect, string>> = {
  sqlite: `CREATE TEMP TABLE deferred_violations (number INTEGER CHECK (number = 0));
    INSERT INTO deferred_violations SELECT count(*) FROM pragma_foreign_key_check;`,
  postgres: 'SET CONSTRAINTS ALL IMMEDIATE',
};

/** Fails in every database, so that nothing is committed. */
const ROLL_BACK = 'The check has passed; this is rolled back';

/**
 * Finds the file that made a commit fail: after it, and all that follow it, constraints are violated that were not
 * before. Executes the files again, without applying them.
 *
 * @param scripts those that come before all files
 * @param files the scripts of each file
 * @param options with which they failed
 * @returns its index; undefined if it cannot be found, for example because rows violated constraints before
 */
export async function fileOfFailedCommit(
  adapter: Pick<DatabaseAdapter, 'dialect' | 'runScripts'>,
  scripts: readonly string[],
  files: readonly (readonly string[])[],
  options: ScriptOptions,
): Promise<number | undefined> {
  for (let count = files.length; count >= 0; count--) {
    const isViolated = await violates(adapter, [...scripts, ...files.slice(0, count).flat()], options);
    if (isViolated === undefined) return undefined;
    if (!isViolated) return count === files.length ? undefined : count;
  }
  return undefined;
}

/** Whether scripts violate deferred constraints; undefined if they fail otherwise. */
async function violates(
  adapter: Pick<DatabaseAdapter, 'dialect' | 'runScripts'>,
  scripts: readonly string[],
  options: ScriptOptions,
): Promise<boolean | undefined> {
  try {
    await adapter.runScripts([...scripts, CHECK[adapter.dialect], ROLL_BACK], options);
  } catch (error) {
    if (!(error instanceof ScriptError)) return undefined;
    if (error.script === scripts.length) return true;
    return error.script === scripts.length + 1 ? false : undefined;
  }
  return undefined;
}
