import { readableCopy } from './readable-copy';

/**
 * Returns the details of a line. Modules in JavaScript may pass a message or an error in place of them, as to pino.
 * @param first the first argument of a method of a log
 */
export function detailsOf(first: unknown): object {
  if (isError(first)) return { err: first };
  return typeof first === 'object' && first !== null ? first : {};
}

/** Returns the details of a line, and others before them. What throws when it is read is left out. */
export function detailsWith(others: object, first: unknown): object {
  try {
    return { ...others, ...detailsOf(first) };
  } catch {
    return { ...others, ...readableDetails(first) };
  }
}

/** As {@link detailsOf}, without what throws when it is read. */
export function readableDetails(first: unknown): object {
  const copy = readableCopy(detailsOf(first));
  return typeof copy === 'object' && copy !== null ? copy : { details: copy };
}

/**
 * Returns the message of a line.
 * @param first as above
 * @param message undefined if `first` is the message or an error
 */
export function messageOf(first: unknown, message: string | undefined): string {
  if (typeof first === 'string') return first;
  if (message !== undefined || !isError(first)) return message ?? '';
  const { message: own } = readableCopy(first) as { readonly message?: unknown };
  return String(own);
}

/** Whether a value is an error; not if that cannot be found out, as of a revoked proxy. */
function isError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}
