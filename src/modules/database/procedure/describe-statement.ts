import { ConfigurationError, type TextPosition } from '../../../framework';
import type { DatabaseAdapter } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import { describePostgres, PREFIX_LENGTH } from './describe-postgres';
import { describeSqlite } from './describe-sqlite';
import type { NamedStatement } from './named-parameters';
import type { StatementDescription } from './statement-description';

/**
 * Describes a statement without executing it.
 * @param where the key of the text, for messages
 * @returns undefined if the database cannot be reached
 * @throws ConfigurationError for a statement that the database does not accept, with its position
 */
export async function describeStatement(
  adapter: DatabaseAdapter,
  statement: NamedStatement,
  where: string,
): Promise<StatementDescription | undefined> {
  try {
    return adapter.dialect === 'postgres'
      ? await describePostgres(adapter, statement.text)
      : describeSqlite(adapter.file ?? adapter.target, statement.text);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    if (error.kind === 'unavailable' || error.kind === 'timeout') return undefined;
    const location = locationOf(error, statement);
    const at = location === undefined ? '' : `, line ${location.line}, column ${location.column}`;
    throw new ConfigurationError(`${where}${at}: ${error.message}.`, { cause: error });
  }
}

/** The position of an error: PostgreSQL reports it, SQLite names the token. */
function locationOf({ cause, message }: DatabaseError, statement: NamedStatement): TextPosition | undefined {
  const position: unknown = typeof cause === 'object' && cause !== null && Reflect.get(cause, 'position');
  if (typeof position === 'string') return statement.locate(Number(position) - 1 - PREFIX_LENGTH);
  const [, near, missing = ''] =
    /^near "([^"]+)"|no such (?:column|table|function): ([\w.]+)/.exec(message) ?? [];
  const token = near ?? missing;
  const offset = token === '' ? -1 : statement.text.indexOf(token);
  return offset < 0 ? undefined : statement.locate(offset);
}
