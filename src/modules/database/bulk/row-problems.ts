import { isObject, listOf, Problem, type MaybePromise } from '../../../framework';
import { DatabaseError, type DatabaseErrorKind } from '../adapters/database-error';

/** Failures that concern one row of a statement. */
const ABOUT_ROW: readonly DatabaseErrorKind[] = [
  'unique',
  'foreign_key',
  'not_null',
  'check',
  'too_long',
  'invalid_value',
];

/** Whether a problem is that of one row. */
export function isAboutRow(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  const { code, cause } = error;
  return code === 'not_stored' || (cause instanceof DatabaseError && ABOUT_ROW.includes(cause.kind));
}

/** Runs an action for an item of a list. @throws the problem of the action, with pointers below the item */
export async function atItem<T>(at: number, act: () => MaybePromise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof Problem ? problemAt(at, error) : error;
  }
}

function problemAt(at: number, failed: Problem): Problem {
  if (failed.status !== 409 && failed.status !== 422) return failed;
  const { status, detail, title, type, code, extensions, fields, cause } = failed;
  const errors = listOf(extensions.errors).map((error) => {
    const { pointer, ...others }: Readonly<Record<string, unknown>> = isObject(error) ? error : {};
    const within = typeof pointer === 'string' ? pointer : '';
    // The `merge` of a context knows the item itself.
    return { pointer: within.startsWith(`/${at}/`) ? within : `/${at}${within}`, ...others };
  });
  return new Problem(status, detail, {
    title,
    type,
    ...(code === undefined ? {} : { code }),
    extensions: {
      ...extensions,
      errors: errors.length === 0 ? [{ pointer: `/${at}`, message: detail }] : errors,
    },
    fields,
    cause,
  });
}
