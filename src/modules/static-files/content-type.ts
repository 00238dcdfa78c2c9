import { isUtf8MimeType, mime } from '@fastify/send';

/** Types that the library still has under their former names (RFC 9239). */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['mjs', 'text/javascript; charset=utf-8'],
]);

/** Returns the `Content-Type` of a file by its extension; `application/octet-stream` for unknown ones. */
export function contentTypeOf(file: string): string {
  const extension = /\.([^.]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const known = TYPES.get(extension);
  if (known !== undefined) return known;
  // The library takes a name without a dot for an extension.
  const type = (extension === '' ? null : mime.getType(extension)) ?? 'application/octet-stream';
  return isUtf8MimeType(type) ? `${type}; charset=utf-8` : type;
}
