import { CredentialParameters, DIGEST_PARAMETERS } from './credential-parameters';

/** Character classes, as bits. */
const [TOKEN, TEXT, UNESCAPED, SPACE, SEPARATOR] = [1, 2, 4, 8, 16];
/** The bit that is set in every lower-case letter. */
const CASE = 0x20;
const BEYOND_LATIN1 = /[\u0100-\uffff]/;
const [TAB, BLANK, QUOTE, COMMA, EQUALS, BACKSLASH] = [0x09, 0x20, 0x22, 0x2c, 0x3d, 0x5c];
const TOKEN_CHARACTERS = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const classes = Uint8Array.from({ length: 256 }, (_, octet) => classOf(octet));

/** The Digest parameters by the length of their names, nine characters at most. */
const byNameLength = Array.from({ length: 10 }, (_, length) =>
  DIGEST_PARAMETERS.map((name, index) => ({ name, index })).filter(({ name }) => name.length === length),
);
const NO_NAMES: (typeof byNameLength)[number] = [];

/** The longest text that is parsed, in characters. */
export const MAX_PARAMETERS_LENGTH = 16_384;

/**
 * The octets of the text that is parsed, and one of no class after them, which ends every run. One buffer for all calls,
 * as parsing never waits; `charCodeAt` checks the string's internal representation at every call, a third of the time.
 */
const octets = Buffer.alloc(MAX_PARAMETERS_LENGTH + 1);

/**
 * Parses a list of parameters (RFC 9110, 11.2) in one pass, from a position to the end of the text. Returns undefined
 * for invalid syntax and repeated names.
 *
 * @param text at most {@link MAX_PARAMETERS_LENGTH} characters
 */
export function parseParameters(text: string, begin: number): CredentialParameters | undefined {
  if (BEYOND_LATIN1.test(text)) return undefined;
  octets[octets.write(text, 'latin1')] = 0;
  const parameters = new CredentialParameters();
  // Empty list elements are allowed (RFC 9110, 5.6.1.2).
  for (let at = endOf(SEPARATOR, begin); at < text.length; at = endOf(SEPARATOR, at)) {
    const nameEnd = endOf(TOKEN, at);
    const equals = endOf(SPACE, nameEnd);
    if (nameEnd === at || octets[equals] !== EQUALS) return undefined;
    const start = endOf(SPACE, equals + 1);
    const isQuoted = octets[start] === QUOTE;
    const from = isQuoted ? start + 1 : start;
    const plainEnd = endOf(isQuoted ? UNESCAPED : TOKEN, from);
    const end = isQuoted ? quoteEnd(plainEnd) : plainEnd;
    if (isQuoted ? end < from : end === from) return undefined;
    const written = text.slice(from, end);
    const value = end === plainEnd ? written : written.replace(/\\(.)/gs, '$1');
    const index = digestIndex(at, nameEnd);
    const isNew =
      index < 0
        ? parameters.add(text.slice(at, nameEnd).toLowerCase(), value)
        : parameters.addAt(index, value);
    if (!isNew) return undefined;
    at = endOf(SPACE, isQuoted ? end + 1 : end);
    if (at < text.length && octets[at] !== COMMA) return undefined;
  }
  return parameters;
}

/** The end of a run of octets of a class. */
function endOf(kind: number, from: number): number {
  let at = from;
  while (is(kind, at)) at++;
  return at;
}

function is(kind: number, at: number): boolean {
  return ((classes[octets[at] ?? 0] ?? 0) & kind) !== 0;
}

/** The position of the closing quote; -1 without one. @param at the end of the characters before a quoted pair */
function quoteEnd(at: number): number {
  let end = at;
  // A quoted pair (RFC 9110, 5.6.4).
  while (octets[end] === BACKSLASH && is(TEXT, end + 1)) end = endOf(UNESCAPED, end + 2);
  return octets[end] === QUOTE ? end : -1;
}

/** The index of the Digest parameter whose name is at a position; -1 for another name. */
function digestIndex(from: number, end: number): number {
  for (const { name, index } of byNameLength[end - from] ?? NO_NAMES) if (hasAt(name, from)) return index;
  return -1;
}

/** Compares case-insensitively. @param word lower-case letters or `*` */
function hasAt(word: string, from: number): boolean {
  for (let at = 0; at < word.length; at++)
    if (word.charCodeAt(at) !== ((octets[from + at] ?? 0) | CASE)) return false;
  return true;
}

function classOf(octet: number): number {
  const isSpace = octet === TAB || octet === BLANK;
  const isText = octet === TAB || (octet >= 0x20 && octet !== 0x7f);
  const isUnescaped = isText && octet !== QUOTE && octet !== BACKSLASH;
  return (
    (TOKEN_CHARACTERS.includes(String.fromCharCode(octet)) ? TOKEN : 0) |
    (isText ? TEXT : 0) |
    (isUnescaped ? UNESCAPED : 0) |
    (isSpace ? SPACE : 0) |
    (isSpace || octet === COMMA ? SEPARATOR : 0)
  );
}
