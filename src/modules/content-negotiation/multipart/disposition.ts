import { percentDecoded } from '../../../framework';

/** The `Content-Disposition` of a part of a form (RFC 7578, 4.2). */
export interface Disposition {
  readonly name: string;
  /** The file name as the client sent it; undefined if the part is not a file. */
  readonly filename: string | undefined;
}

const FORM_DATA = /^\s*form-data\s*(?=;)/i;
/**
 * Each character matches in one way only. A second one for those of a quoted value would double the time for each
 * backslash; one for the white space before and after an empty value would take its square.
 */
const PARAMETER =
  /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:("(?:[^"\\]|\\["\\]|\\(?!["\\]))*"|[^\s;"]+)\s*)?(?=;|$)/y;

/** Browsers percent-encode exactly these three characters in names (HTML, 4.10.21.8). */
const ENCODED_BY_BROWSERS: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** Returns undefined if the field is not `form-data` or has no name. */
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
    filename: decodeExtended(parameters.get('filename*')) ?? decodeOptional(parameters.get('filename')),
  };
}

/** A backslash escapes a quote or a backslash; elsewhere it is literal, as in the paths that old browsers send. */
function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value;
}

function decodeOptional(value: string | undefined): string | undefined {
  return value === undefined ? undefined : decode(value);
}

function decode(value: string): string {
  return value.replace(/%(?:22|0D|0A)/gi, (code) => ENCODED_BY_BROWSERS[code.toUpperCase()] ?? code);
}

/** Decodes an extended value (RFC 8187). Forms should not use it, but some clients do. */
function decodeExtended(value: string | undefined): string | undefined {
  const encoded = value === undefined ? undefined : /^utf-8'[\w-]*'(.*)$/is.exec(value)?.[1];
  return encoded === undefined ? undefined : percentDecoded(encoded);
}

/** In bytes. */
const MAX_LENGTH = 200;

const UNNAMED_FILE = 'file';

/**
 * Makes a client's file name safe for display and storage: removes the path, and characters that are special for file
 * systems and terminals, and limits it to 200 bytes of UTF-8.
 */
export function sanitizeFilename(filename: string): string {
  const base = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  // Control characters, bidirectional formatting characters, and characters that are invalid on Windows.
  const clean = withoutEnd(
    base
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '')
      .replace(/[<>:"|?*]/g, '_')
      .replace(/^[\s.]+/, ''),
  );
  return shorten(clean) || UNNAMED_FILE;
}

/** Removes points and white space. A regular expression would start again at each of them. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && /[\s.]/.test(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}

/** Truncates the name, but keeps its extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_LENGTH) return name;
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  let room = MAX_LENGTH - Buffer.byteLength(extension);
  let stem = '';
  for (const character of name.slice(0, name.length - extension.length)) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return stem + extension;
}
