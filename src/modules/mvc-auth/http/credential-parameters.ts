/** What is asked of the parameters of credentials; a `Map` of them will do. */
export interface CredentialParameters extends Iterable<readonly [string, string]> {
  /** @param name in lower case */
  get(name: string): string | undefined;
}

/** More than any scheme has: beyond it, a list is no longer the quickest to look along. */
const FEW = 16;

/** What an octet may be part of. */
const [TOKEN, TEXT, UNESCAPED, SPACE, SEPARATOR] = [1, 2, 4, 8, 16];
const BEYOND = /[\u0100-\uffff]/;
const [TAB, BLANK, QUOTE, COMMA, EQUALS, BACKSLASH] = [0x09, 0x20, 0x22, 0x2c, 0x3d, 0x5c];
const TOKEN_CHARACTERS = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const kinds = Uint8Array.from({ length: 256 }, (_, octet) => kindOf(octet));

/** Texts are not longer than that. */
export const LONGEST_CREDENTIALS = 16_384;

/**
 * The octets of the text that is being read, with a zero behind them. A text has many forms in the engine, which are
 * told apart anew for each character that is looked at: here it costs a third.
 */
const octets = Buffer.alloc(LONGEST_CREDENTIALS + 1);

/**
 * The parameters of credentials in the order in which they were sent. A list, not a `Map`: of the dozen that there
 * are, looking along it costs less than a `Map` does to make, and every request makes one. Who sends thousands
 * gets the `Map`, or looking for repeated names would take the square of their number.
 */
class ParameterList implements CredentialParameters {
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  #many: Map<string, string> | undefined;

  get(name: string): string | undefined {
    if (this.#many !== undefined) return this.#many.get(name);
    const at = this.#names.indexOf(name);
    return at < 0 ? undefined : this.#values[at];
  }

  /** @returns false for a name that is there already */
  add(name: string, value: string): boolean {
    if (this.get(name) !== undefined) return false;
    this.#names.push(name);
    this.#values.push(value);
    if (this.#names.length > FEW) (this.#many ??= new Map(this)).set(name, value);
    return true;
  }

  *[Symbol.iterator](): Iterator<readonly [string, string]> {
    for (const [at, name] of this.#names.entries()) yield [name, this.#values[at] ?? ''];
  }
}

/** Of credentials that have none. */
export const NO_PARAMETERS: CredentialParameters = Object.freeze(new ParameterList());

/**
 * Reads a list of parameters (RFC 9110, 11.2) in one pass, from a position of a text to its end. Nothing comes back
 * for what does not fit the grammar or has a name twice.
 *
 * @param text no longer than {@link LONGEST_CREDENTIALS}
 */
export function parseParameters(text: string, from: number): CredentialParameters | undefined {
  if (BEYOND.test(text)) return undefined;
  octets[octets.write(text, 'latin1')] = 0;
  const parameters = new ParameterList();
  // Empty elements of a list are allowed (RFC 9110, 5.6.1.2).
  for (let at = endOf(SEPARATOR, from); at < text.length; at = endOf(SEPARATOR, at)) {
    const nameEnd = endOf(TOKEN, at);
    const equals = endOf(SPACE, nameEnd);
    if (nameEnd === at || octets[equals] !== EQUALS) return undefined;
    const start = endOf(SPACE, equals + 1);
    const isQuoted = octets[start] === QUOTE;
    const end = isQuoted ? quoteEnd(start) : endOf(TOKEN, start);
    if (end === start) return undefined;
    const value = isQuoted ? unescape(text.slice(start + 1, end - 1)) : text.slice(start, end);
    if (!parameters.add(text.slice(at, nameEnd).toLowerCase(), value)) return undefined;
    at = endOf(SPACE, end);
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

/** The position behind the closing quote; that of the opening one where nothing closes it. */
function quoteEnd(from: number): number {
  let at = endOf(UNESCAPED, from + 1);
  // A quoted pair (RFC 9110, 5.6.4).
  while (octets[at] === BACKSLASH && is(TEXT, at + 1)) at = endOf(UNESCAPED, at + 2);
  return octets[at] === QUOTE ? at + 1 : from;
}

/** Takes the slashes of quoted pairs away, where there are any. */
function unescape(quoted: string): string {
  return quoted.includes('\\') ? quoted.replace(/\\(.)/gs, '$1') : quoted;
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
