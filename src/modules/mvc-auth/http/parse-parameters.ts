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

/**
 * Parses a list of parameters (RFC 9110, 11.2) in one pass, from a position to the end of the text. Returns undefined
 * for invalid syntax and repeated names.
 */
export function parseParameters(text: string, begin: number): CredentialParameters | undefined {
  return BEYOND_LATIN1.test(text) ? undefined : new ParameterParser(text).parse(begin);
}

class ParameterParser {
  readonly #text: string;
  /** The text as octets: `charCodeAt` checks the string's internal representation at every call, a third of the time. */
  readonly #octets: Uint8Array;

  constructor(text: string) {
    this.#text = text;
    this.#octets = Buffer.from(text, 'latin1');
  }

  parse(begin: number): CredentialParameters | undefined {
    const text = this.#text;
    const octets = this.#octets;
    const parameters = new CredentialParameters();
    // Empty list elements are allowed (RFC 9110, 5.6.1.2).
    for (let at = this.#endOf(SEPARATOR, begin); at < text.length; at = this.#endOf(SEPARATOR, at)) {
      const nameEnd = this.#endOf(TOKEN, at);
      const equals = this.#endOf(SPACE, nameEnd);
      if (nameEnd === at || octets[equals] !== EQUALS) return undefined;
      const start = this.#endOf(SPACE, equals + 1);
      const isQuoted = octets[start] === QUOTE;
      const from = isQuoted ? start + 1 : start;
      const plainEnd = this.#endOf(isQuoted ? UNESCAPED : TOKEN, from);
      const end = isQuoted ? this.#quoteEnd(plainEnd) : plainEnd;
      if (isQuoted ? end < from : end === from) return undefined;
      const written = text.slice(from, end);
      const value = end === plainEnd ? written : written.replace(/\\(.)/gs, '$1');
      const index = this.#digestIndex(at, nameEnd);
      const isNew =
        index < 0
          ? parameters.add(text.slice(at, nameEnd).toLowerCase(), value)
          : parameters.addAt(index, value);
      if (!isNew) return undefined;
      at = this.#endOf(SPACE, isQuoted ? end + 1 : end);
      if (at < text.length && octets[at] !== COMMA) return undefined;
    }
    return parameters;
  }

  /** The end of a run of octets of a class. */
  #endOf(kind: number, from: number): number {
    let at = from;
    while (this.#is(kind, at)) at++;
    return at;
  }

  #is(kind: number, at: number): boolean {
    return at < this.#octets.length && ((classes[this.#octets[at] ?? 0] ?? 0) & kind) !== 0;
  }

  /** The position of the closing quote; -1 without one. @param at the end of the characters before a quoted pair */
  #quoteEnd(at: number): number {
    let end = at;
    // A quoted pair (RFC 9110, 5.6.4).
    while (this.#octets[end] === BACKSLASH && this.#is(TEXT, end + 1)) end = this.#endOf(UNESCAPED, end + 2);
    return this.#octets[end] === QUOTE ? end : -1;
  }

  /** The index of the Digest parameter whose name is at a position; -1 for another name. */
  #digestIndex(from: number, end: number): number {
    for (const { name, index } of byNameLength[end - from] ?? NO_NAMES)
      if (this.#hasAt(name, from)) return index;
    return -1;
  }

  /** Compares case-insensitively. @param word lower-case letters or `*` */
  #hasAt(word: string, from: number): boolean {
    for (let at = 0; at < word.length; at++)
      if (word.charCodeAt(at) !== ((this.#octets[from + at] ?? 0) | CASE)) return false;
    return true;
  }
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
