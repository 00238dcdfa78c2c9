import { problem, type Problem } from '../../../framework';
import type { DatabaseError } from '../adapters/database-error';
import type { Table } from './table';

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
  const members = pointers.map((pointer) => pointer.slice(1));
  const shown = expression === undefined ? undefined : shownExpression(expression, columns);
  const message =
    expression === undefined
      ? 'is taken'
      : `is taken: ${shown === undefined ? 'the database derives the same value from it' : `${shown} is the same`}`;
  const errors = pointers.map((pointer) => ({ pointer, keyword: 'unique', message }));
  return problem(
    'already_exists',
    {
      service,
      members: pointers,
      ...(expression === undefined || members.length === 0 ? {} : { derived: shown ?? '' }),
    },
    { extensions: { errors }, cause: error },
  );
}

/** An expression without casts to text, if clients may read it. */
function shownExpression(expression: string, columns: Table['columns']): string | undefined {
  const text = expression.replace(/::(?:text|character varying)\b/g, '');
  if (!/^[\w\s(),]+$/.test(text)) return undefined;
  const words = text.match(/\w+/g) ?? [];
  const isShown = words.every(
    (word) => KNOWN.includes(word.toLowerCase()) || columns.some(({ name }) => name === word),
  );
  return isShown ? text : undefined;
}
