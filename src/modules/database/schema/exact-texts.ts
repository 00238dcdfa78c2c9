import type { Dialect } from '../adapters/database-adapter';
import { convertsNumbers } from '../adapters/sqlite/schema/column-type';
import type { ColumnModel, ColumnType } from '../introspection/table-model';

/** Types of which a value has one notation as a text, with which names are compared. Texts of a UUID differ in case. */
const COMPARED: ReadonlySet<ColumnType> = new Set([
  'boolean',
  'integer',
  'bigint',
  'number',
  'decimal',
  'uuid',
]);

/**
 * What follows a column where a text is equal only if its characters are, for names of users: in the collation of a column,
 * several may be equal, and in some types, several are texts of one value.
 * @returns undefined for a column that compares so by itself
 */
export function exactSuffix(
  { type, base, isNondeterministic = false, isArray = false }: ColumnModel,
  dialect: Dialect,
): string | undefined {
  if (COMPARED.has(type)) return undefined;
  // The model does not say which collation a column has. The name would be converted to the type of the column itself.
  if (dialect === 'sqlite') return " || '' collate binary";
  if (type === 'text')
    return base === 'citext' || base === 'bpchar' || isNondeterministic ? '::text collate "C"' : undefined;
  return isArray || type === 'json' ? undefined : '::text';
}

/** What SQLite reads as a number. */
const NUMBER = /^[\t-\r ]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[\t-\r ]*$/i;

/** Whether a column of SQLite keeps a text: some types convert texts to numbers, of which a few are read as the same text. */
export function isKeptText(text: string, declared: string): boolean {
  if (!NUMBER.test(text) || !convertsNumbers(declared)) return true;
  const number = Number(text);
  return String(number) === text && (Number.isSafeInteger(number) || !Number.isInteger(number));
}
