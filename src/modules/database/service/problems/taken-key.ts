import { problem, type Problem } from '../../../../framework';
import type { DatabaseError } from '../../adapters/database-error';
import type { Table } from '../../table/table';

/** Functions of both databases that clients know, or that their values show. */
const KNOWN = ['lower', 'upper', 'trim', 'btrim', 'ltrim', 'rtrim'];

/**
 * The problem of a unique index, or a similar rule. It says what the index compares: `lower(email)`, if that has nothing
 * but columns that clients see and functions that they know, or else that the value is derived from these columns.
 * @param pointers to the members, as far as clients see them
 */
export function takenKey(
  error: DatabaseError,
  service: string,
  { columns }: Pick<Table, 'columns'>,
  pointers: readonly string[],
): Problem {
  const { expression } = error;
  const compared = expression === undefined ? undefined : shownExpression(expression, columns);
  const message = messageOf(compared);
  const errors = pointers.map((pointer) => ({ pointer, keyword: 'unique', message }));
  return problem(
    'already_exists',
    { service, members: pointers, ...(compared === undefined ? {} : { expression: compared }) },
    { extensions: { errors }, cause: error },
  );
}

/** @param expression null for one that clients must not see, undefined for none */
function messageOf(expression: string | null | undefined): string {
  if (expression === undefined) return 'is taken';
  return expression === null
    ? 'is taken: the database derives the same value from it'
    : `is taken: ${expression} is the same`;
}

/** An expression without casts to text; null if clients must not see it. */
function shownExpression(expression: string, columns: Table['columns']): string | null {
  const text = expression.replace(/::(?:text|character varying)\b/g, '');
  if (!/^[\w\s(),]+$/.test(text)) return null;
  const words = text.match(/\w+/g) ?? [];
  const isShown = words.every(
    (word) => KNOWN.includes(word.toLowerCase()) || columns.some(({ name }) => name === word),
  );
  return isShown ? text : null;
}
