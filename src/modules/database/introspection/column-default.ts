import type { ColumnModel } from './table-model';

/**
 * NULL, also in parentheses or with a cast, as PostgreSQL stores it for some types: `NULL::character varying`. SQLite
 * stores what was written.
 */
const NULL = /^(?:[\s(]*NULL[\s)]*|NULL::[\w .,()"[\]]+|CAST\(NULL AS [\w ]+(?:\([\d, ]+\))?\))$/i;

/**
 * The default of a column as a member of its model. NULL sets no value of one that is NOT NULL, which is as if it had no
 * default.
 */
export function defaultMember(sql: string | null, isNullable: boolean): Pick<ColumnModel, 'default'> {
  return sql === null || (!isNullable && NULL.test(sql)) ? {} : { default: sql };
}
