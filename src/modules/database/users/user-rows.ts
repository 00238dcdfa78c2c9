import type { StoredUser } from '../../mvc-auth';
import type { Dialect, Row, SqlValue } from '../adapters/database-adapter';
import { arrayLiteral } from '../schema/array-literal';
import { columnCodec } from '../schema/column-codec';
import type { UserColumn, UserColumns } from './user-columns';

/** Reads a row that was selected with the columns of users. */
export function readUser(row: Row, columns: UserColumns, dialect: Dialect): StoredUser {
  const { hash, ha1, groups, enabled } = columns;
  const secrets = ha1.flatMap(([algorithm, column]) => {
    const secret = textOf(row[column.name]);
    return secret === undefined ? [] : [[algorithm, secret] as const];
  });
  return {
    hash: hash && textOf(row[hash.name]),
    ha1: Object.fromEntries(secrets),
    groups: groups === undefined ? [] : readGroups(valueOf(row, groups, dialect)),
    isEnabled: enabled === undefined || isTrue(valueOf(row, enabled, dialect)),
  };
}

/** Reads groups: a list, the text of a JSON array, or names separated by white space or commas. */
export function readGroups(value: unknown): readonly string[] {
  const list = typeof value === 'string' ? groupsOfText(value) : value;
  if (!Array.isArray(list)) return [];
  return [...new Set(list.filter((one) => typeof one === 'string' && one !== ''))] as string[];
}

/**
 * Converts groups for their column.
 * @param previous the text of a text column, whose notation is kept
 */
export function groupsParameter(
  groups: readonly string[],
  { model }: UserColumn,
  previous: unknown,
): SqlValue {
  if (model.isArray === true) return arrayLiteral(groups);
  const isJson =
    model.type === 'json' || (typeof previous === 'string' && previous.trimStart().startsWith('['));
  if (isJson) return JSON.stringify(groups);
  return groups.join(typeof previous === 'string' && previous.includes(',') ? ',' : ' ');
}

/** Whether a text column separates groups by characters that a name must not contain then. */
export function isSeparatedText({ model }: UserColumn): boolean {
  return model.type === 'text' && model.isArray !== true;
}

/** A boolean for a column. */
export function flagParameter(value: boolean, { model }: UserColumn, dialect: Dialect): SqlValue {
  return model.type === 'boolean' && dialect === 'postgres' ? String(value) : Number(value);
}

function groupsOfText(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return text.split(/[\s,]+/);
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

function valueOf(row: Row, { name, model }: UserColumn, dialect: Dialect): unknown {
  const value = row[name];
  const { fromRow } = columnCodec(name, model, dialect);
  return fromRow === undefined ? value : fromRow(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isTrue(value: unknown): boolean {
  return (
    value === true ||
    (typeof value === 'number' && value !== 0) ||
    (typeof value === 'bigint' && value !== 0n)
  );
}
