/**
 * Returns the details of a line. Modules in JavaScript may pass a message or an error in place of them, as to pino.
 * @param first the first argument of a method of a log
 */
export function detailsOf(first: unknown): object {
  if (first instanceof Error) return { err: first };
  return typeof first === 'object' && first !== null ? first : {};
}

/** Returns the message of a line. @param first as above @param message undefined if `first` is the message or an error */
export function messageOf(first: unknown, message: string | undefined): string {
  if (typeof first === 'string') return first;
  return message ?? (first instanceof Error ? first.message : '');
}
