/** What is asked of the parameters of credentials; a `Map` of them will do. */
export interface CredentialParameters extends Iterable<readonly [string, string]> {
  /** @param name in lower case */
  get(name: string): string | undefined;
}

/** More than any scheme has: beyond it, a list is no longer the quickest to look along. */
const FEW = 16;

const NAME_OCTETS = octetsOf("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
const TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;
const [TAB, SPACE, QUOTE, COMMA, EQUALS, BACKSLASH] = [0x09, 0x20, 0x22, 0x2c, 0x3d, 0x5c];

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
 */
export function parseParameters(text: string, from: number): CredentialParameters | undefined {
  if (!TEXT.test(text)) return undefined;
  const parameters = new ParameterList();
  // Empty elements of a list are allowed (RFC 9110, 5.6.1.2).
  for (let at = skipSeparators(text, from); at < text.length; at = skipSeparators(text, at)) {
    const nameEnd = tokenEnd(text, at);
    const equals = skipSpace(text, nameEnd);
    if (nameEnd === at || text.charCodeAt(equals) !== EQUALS) return undefined;
    const start = skipSpace(text, equals + 1);
    const isQuoted = text.charCodeAt(start) === QUOTE;
    const end = isQuoted ? quoteEnd(text, start) : tokenEnd(text, start);
    if (end === start) return undefined;
    const value = isQuoted ? unescape(text.slice(start + 1, end - 1)) : text.slice(start, end);
    if (!parameters.add(text.slice(at, nameEnd).toLowerCase(), value)) return undefined;
    at = skipSpace(text, end);
    if (at < text.length && text.charCodeAt(at) !== COMMA) return undefined;
  }
  return parameters;
}

function tokenEnd(text: string, from: number): number {
  let at = from;
  while (NAME_OCTETS[text.charCodeAt(at)] === 1) at++;
  return at;
}

/** The position behind the closing quote; that of the opening one where nothing closes it. */
function quoteEnd(text: string, from: number): number {
  const closing = text.indexOf('"', from + 1);
  if (closing < 0) return from;
  const slash = text.indexOf('\\', from + 1);
  if (slash < 0 || slash > closing) return closing + 1;
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at < text.length ? at + 1 : from;
}

/** Takes the slashes of quoted pairs away, where there are any (RFC 9110, 5.6.4). */
function unescape(quoted: string): string {
  return quoted.includes('\\') ? quoted.replace(/\\(.)/gs, '$1') : quoted;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function skipSeparators(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at)) || text.charCodeAt(at) === COMMA) at++;
  return at;
}

function isSpace(octet: number): boolean {
  return octet === SPACE || octet === TAB;
}

function octetsOf(characters: string): Uint8Array {
  const octets = new Uint8Array(256);
  for (const character of characters) octets[character.charCodeAt(0)] = 1;
  return octets;
}
