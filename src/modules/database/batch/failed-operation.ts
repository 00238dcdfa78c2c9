import { isList, isObject, Problem } from '../../../framework';
import type { Result } from './batch-schemas';

/**
 * Fields of a failed operation that say what to do, and whether caches may keep it; each 401 has a challenge (RFC 9110,
 * 15.5.2).
 */
const PASSED_FIELDS = ['Cache-Control', 'Retry-After', 'WWW-Authenticate'];

/**
 * Returns the problem of a failed operation, with pointers into the batch and all other members of its own problem.
 * @param path of the operation, as clients see it
 * @param at position of the operation in the batch
 * @param errorsUrl URL of the error reference; undefined if none is served
 */
export function failureOf(
  { status, headers, body }: Result,
  path: string,
  at: number,
  errorsUrl: string | undefined,
): Problem {
  const {
    type,
    title,
    status: _,
    detail: found,
    errors,
    // The batch has its own.
    request_id: __,
    ...extensions
  }: Readonly<Record<string, unknown>> = isObject(body) ? body : {};
  const { instance } = extensions;
  const prefix = `/operations/${at}`;
  const fields = PASSED_FIELDS.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [[name, value] as const];
  });
  const detail = typeof found === 'string' ? found : `status ${status}`;
  const code = codeOf(status, type, errorsUrl);
  return new Problem(status, `Operation ${at} failed, and nothing was changed: ${detail}`, {
    ...(typeof type === 'string' ? { type: rooted(type, path) } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    extensions: {
      ...extensions,
      ...(typeof instance === 'string' ? { instance: rooted(instance, path) } : {}),
      operation: at,
      errors: errorsIn(prefix, errors),
    },
    ...(code === undefined ? {} : { code }),
    // The operation has logged its failure.
    logOnce: `batch ${code ?? status}`,
    fields,
  });
}

/** Resolves a reference relative to the path of the operation: clients would resolve it against that of the batch (RFC 9457, 3). */
function rooted(reference: string, path: string): string {
  const base = `http://operation.invalid${path}`;
  if (reference.startsWith('/') || !URL.canParse(reference, base)) return reference;
  const { host, pathname, search, hash } = new URL(reference, base);
  // A URL may also begin with a space.
  return host === 'operation.invalid' ? pathname + search + hash : reference;
}

/** Returns the errors of an operation with pointers into the batch. Those of an author's own may have any form. */
function errorsIn(prefix: string, errors: unknown = []): unknown {
  if (!isList(errors)) return errors;
  if (errors.length === 0) return [{ pointer: prefix }];
  return errors.map((error) => {
    if (!isObject(error)) return error;
    const { pointer, ...others } = error;
    if (typeof pointer !== 'string') return { pointer: `${prefix}/path`, ...others };
    // One may be a fragment, as in the examples of RFC 9457 (3). Others than JSON Pointers stay as they are.
    return { pointer: pointer.replace(/^(#?)(?=\/|$)/, `$1${prefix}/body`), ...others };
  });
}

/**
 * Returns the code of a problem of the platform; undefined for others, whose type may have a fragment as well. The type of a
 * 401 is that of its status, whatever the cause.
 */
function codeOf(status: number, type: unknown, errorsUrl: string | undefined): string | undefined {
  if (status === 401) return 'unauthorized';
  const prefix = `${errorsUrl ?? ''}#`;
  if (errorsUrl === undefined || typeof type !== 'string' || !type.startsWith(prefix)) return undefined;
  return type.slice(prefix.length);
}
