import type { Dialect } from '../adapters/database-adapter';
import type { ColumnModel } from '../introspection/table-model';

/**
 * What follows a column where a text is equal only if its characters are, for names of users: in the collation of a column,
 * several may be equal.
 * @returns undefined for a column that compares so by itself
 */
export function exactSuffix(
  { type, base, isNondeterministic = false }: ColumnModel,
  dialect: Dialect,
): string | undefined {
  // The model does not say which collation a column of SQLite has. Texts of a UUID differ in case.
  if (dialect === 'sqlite') return type === 'uuid' ? undefined : ' collate binary';
  return base === 'citext' || base === 'bpchar' || isNondeterministic ? '::text collate "C"' : undefined;
}
