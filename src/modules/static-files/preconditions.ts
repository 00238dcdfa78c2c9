import { isNoneMatch, isStrongMatch } from '../../framework';

/** The validators of a file (RFC 9110, 8.8). */
export interface Validators {
  readonly etag: string;
  /** Whole seconds, in milliseconds since 1970. */
  readonly lastModified: number;
}

/** Reads a field of a request. @param name in lower case */
export type ReadField = (name: string) => string | undefined;

/** Milliseconds in which a file may change twice without another modification time. */
const CLOCK_GRANULARITY_MS = 1_000;

/**
 * Returns the validators of a file. The entity tag is strong, unless the file was modified so recently that it may
 * change again without another modification time (RFC 9110, 8.8.1).
 *
 * @param variant distinguishes the content codings of a file
 * @param now in milliseconds since 1970
 */
export function validatorsOf(
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
  variant: string,
  now: number,
): Validators {
  const microseconds = Math.round(mtimeMs * 1_000);
  const opaque = `"${microseconds.toString(36)}-${size.toString(36)}${variant === '' ? '' : `-${variant}`}"`;
  const isRecent = now - mtimeMs < CLOCK_GRANULARITY_MS;
  // Never later than the `Date` of the response (RFC 9110, 8.8.2.1).
  const lastModified = Math.floor(Math.min(mtimeMs, now) / 1_000) * 1_000;
  return { etag: isRecent ? `W/${opaque}` : opaque, lastModified };
}

/** Evaluates the preconditions of a GET or HEAD request, in the order of RFC 9110, 13.2.2. */
export function evaluatePreconditions(
  field: ReadField,
  { etag, lastModified }: Validators,
): 'met' | 'not modified' | 'failed' {
  const ifMatch = field('if-match');
  const isFailed =
    ifMatch === undefined
      ? lastModified > dateOf(field('if-unmodified-since'))
      : !isStrongMatch(ifMatch, etag);
  if (isFailed) return 'failed';
  const ifNoneMatch = field('if-none-match');
  if (ifNoneMatch !== undefined) return isNoneMatch(ifNoneMatch, etag) ? 'not modified' : 'met';
  return lastModified <= dateOf(field('if-modified-since')) ? 'not modified' : 'met';
}

/** Whether `If-Range` lets a range be sent: only for a strong validator (RFC 9110, 13.1.5). */
export function permitsRange(ifRange: string | undefined, { etag, lastModified }: Validators): boolean {
  if (ifRange === undefined) return true;
  if (etag.startsWith('W/')) return false;
  return ifRange.includes('"') ? ifRange.trim() === etag : dateOf(ifRange) === lastModified;
}

/** Reads an HTTP-date (RFC 9110, 5.6.7); NaN for anything else, which recipients ignore: no time compares with it. */
function dateOf(field = ''): number {
  const isAsctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(field);
  if (!isAsctime && !/^[A-Z][a-z]+, .* GMT$/.test(field)) return NaN;
  return Date.parse(isAsctime ? `${field} GMT` : field);
}
