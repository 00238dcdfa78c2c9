/** What a part of a form says of itself (RFC 7578, 4.2). */
export interface Disposition {
  /** The name of the field. */
  readonly name: string;
  /** The name of the file, as the client wrote it; undefined for what is no file. */
  readonly filename: string | undefined;
}

const FORM_DATA = /^\s*form-data\s*(?=;)/i;
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*("(?:\\["\\]|[^"])*"|[^\s;"]*)\s*(?=;|$)/y;

/** Browsers write these three in a name as percent-encoded octets, and nothing else (HTML, 4.10.21.8). */
const ENCODED_BY_BROWSERS: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** @returns undefined for a field that is none of a form, or that has no name */
export function parseDisposition(field: string): Disposition | undefined {
  const [start] = FORM_DATA.exec(field) ?? [];
  if (start === undefined) return undefined;
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = start.length;
  for (let match = PARAMETER.exec(field); match !== null; match = PARAMETER.exec(field)) {
    const [, key = '', value = ''] = match;
    if (!parameters.has(key.toLowerCase())) parameters.set(key.toLowerCase(), unquote(value));
  }
  const name = parameters.get('name');
  if (name === undefined) return undefined;
  return {
    name: decode(name),
    filename: extended(parameters.get('filename*')) ?? decodeOptional(parameters.get('filename')),
  };
}

/** A backslash escapes a quote or itself; elsewhere it is one, as in the paths that old browsers send. */
function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value;
}

function decodeOptional(value: string | undefined): string | undefined {
  return value === undefined ? undefined : decode(value);
}

function decode(value: string): string {
  return value.replace(/%(?:22|0D|0A)/gi, (code) => ENCODED_BY_BROWSERS[code.toUpperCase()] ?? code);
}

/** A value with its charset (RFC 8187), which forms should not have and some clients write. */
function extended(value: string | undefined): string | undefined {
  const encoded = value === undefined ? undefined : /^utf-8'[\w-]*'(.*)$/is.exec(value)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Bytes that a file's name may have where it is kept. */
const MAX_LENGTH = 200;

/** What is left of a client's name for a file where nothing else is. */
const UNNAMED_FILE = 'file';

/**
 * A client's name for a file as one that can be shown and kept under: without a path, without what file systems and
 * terminals take for more than text, at most 200 bytes of UTF-8.
 */
export function sanitizeFilename(filename: string): string {
  const base = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  // Control characters, marks that turn the direction of text, and the signs that Windows does not take.
  const clean = base
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  return shorten(clean) || UNNAMED_FILE;
}

/** Cut before its extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_LENGTH) return name;
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  let stem = name.slice(0, name.length - extension.length);
  while (Buffer.byteLength(stem + extension) > MAX_LENGTH) stem = Array.from(stem).slice(0, -1).join('');
  return stem + extension;
}
