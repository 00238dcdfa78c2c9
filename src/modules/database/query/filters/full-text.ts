import { sql } from 'kysely';
import type { Table, TableSearch } from '../../table/table';
import { parameter, tableReference, type Expression } from '../expressions';

/** Maximum length of a searched text. */
export const MAX_SEARCH_LENGTH = 200;

/** Words have a letter or a digit: full-text indexes have nothing else. */
const WORD = /[\p{L}\p{N}]/u;

/** NUL too: queries of SQLite end at it. Databases have no half of a surrogate pair. */
const BETWEEN_WORDS = /[\s\0\p{Surrogate}]+/u;

/**
 * Returns the query of a full-text index for the text of a client: all of its words, of which the last may be
 * incomplete. Words are quoted, so that no text has the syntax of queries.
 */
export function searchQuery(text: string, { dialect }: Pick<Table, 'dialect'>): string {
  const words = text.split(BETWEEN_WORDS).filter((word) => WORD.test(word));
  // An empty text in PostgreSQL, and an empty phrase in SQLite, match nothing.
  if (words.length === 0) return dialect === 'sqlite' ? '""' : '';
  return dialect === 'sqlite'
    ? `${words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')} *`
    : `${words.map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`).join(' & ')}:*`;
}

/** The condition that a row has the searched words. @param at position among the operands of a request */
export function searchCondition(
  { kind, name, key, configuration }: TableSearch,
  table: Pick<Table, 'name' | 'dialect'>,
  at: number,
): Expression {
  const query = parameter(({ operands }) => String(operands?.[at]));
  if (kind === 'fts5') {
    const row = sql`${tableReference(table)}.${sql.id(key ?? 'rowid')}`;
    return sql`${row} in (select rowid from ${sql.id(name)} where ${sql.id(name)} match ${query})`;
  }
  const words =
    configuration === undefined
      ? sql`to_tsquery(${query})`
      : sql`to_tsquery(${sql.lit(configuration)}::regconfig, ${query})`;
  // The expression of an index is SQL of the database itself.
  const document =
    kind === 'column' ? sql`${tableReference(table)}.${sql.id(name)}` : sql`(${sql.raw(name)})`;
  return sql`${document} @@ ${words}`;
}
