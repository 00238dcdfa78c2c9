import { CredentialParameters, DIGEST_PARAMETERS } from './credential-parameters';

/** What an octet may be part of. */
const [TOKEN, TEXT, UNESCAPED, SPACE, SEPARATOR] = [1, 2, 4, 8, 16];
/** Set in every letter in lower case. */
const CASE = 0x20;
const BEYOND = /[\u0100-\uffff]/;
const [TAB, BLANK, QUOTE, COMMA, EQUALS, BACKSLASH] = [0x09, 0x20, 0x22, 0x2c, 0x3d, 0x5c];
const TOKEN_CHARACTERS = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const kinds = Uint8Array.from({ length: 256 }, (_, octet) => kindOf(octet));

/** The places of the parameters of Digest whose names have a length: of nine letters at most. */
const placesByLength = Array.from({ length: 10 }, (_, length) =>
  DIGEST_PARAMETERS.map((name, place) => ({ name, place })).filter(({ name }) => name.length === length),
);
const NO_PLACES: (typeof placesByLength)[number] = [];

/** Texts are not longer than that. */
export const LONGEST_CREDENTIALS = 16_384;

/**
 * The octets of the text that is being read, with a zero behind them. A text has many forms in the engine, which are
 * told apart anew for each character that is looked at: here it costs a third.
 */
const octets = Buffer.alloc(LONGEST_CREDENTIALS + 1);

/**
 * Reads a list of parameters (RFC 9110, 11.2) in one pass, from a position of a text to its end. Nothing comes back
 * for what does not fit the grammar or has a name twice.
 *
 * @param text no longer than {@link LONGEST_CREDENTIALS}
 */
export function parseParameters(text: string, begin: number): CredentialParameters | undefined {
  if (BEYOND.test(text)) return undefined;
  octets[octets.write(text, 'latin1')] = 0;
  const parameters = new CredentialParameters();
  // Empty elements of a list are allowed (RFC 9110, 5.6.1.2).
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
    const value = end === plainEnd ? written : unescape(written);
    const place = digestPlace(at, nameEnd);
    const isNew =
      place < 0
        ? parameters.add(text.slice(at, nameEnd).toLowerCase(), value)
        : parameters.addAt(place, value);
    if (!isNew) return undefined;
    at = endOf(SPACE, isQuoted ? end + 1 : end);
    if (at < text.length && octets[at] !== COMMA) return undefined;
  }
  return parameters;
}

/** Where octets of a kind end that begin at a position. */
function endOf(kind: number, from: number): number {
  let at = from;
  while (is(kind, at)) at++;
  return at;
}

function is(kind: number, at: number): boolean {
  return ((kinds[octets[at] ?? 0] ?? 0) & kind) !== 0;
}

/** The position of the closing quote; -1 where nothing closes. @param at behind what has no quoted pair */
function quoteEnd(at: number): number {
  // A quoted pair (RFC 9110, 5.6.4).
  while (octets[at] === BACKSLASH && is(TEXT, at + 1)) at = endOf(UNESCAPED, at + 2);
  return octets[at] === QUOTE ? at : -1;
}

/** Takes the slashes of quoted pairs away. */
function unescape(quoted: string): string {
  return quoted.replace(/\\(.)/gs, '$1');
}

/** The place of the parameter of Digest that is named; -1 for another's name. */
function digestPlace(from: number, end: number): number {
  for (const { name, place } of placesByLength[end - from] ?? NO_PLACES) if (isAt(name, from)) return place;
  return -1;
}

/** Whether a word of letters in lower case, or `*`, is the token at a position, in whatever case. */
function isAt(word: string, from: number): boolean {
  for (let at = 0; at < word.length; at++)
    if (word.charCodeAt(at) !== ((octets[from + at] ?? 0) | CASE)) return false;
  return true;
}

function kindOf(octet: number): number {
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
