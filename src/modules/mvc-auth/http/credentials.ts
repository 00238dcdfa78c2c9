/** The value of one `Authorization` field, taken apart (RFC 9110, 11.4). */
export interface Credentials {
  /** The scheme in lower case. */
  readonly scheme: string;
  /** The one token that follows the scheme, e.g. of Basic. */
  readonly token68?: string;
  /** Parameters by lower-case name, quotes and quoting slashes taken away. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** More than any browser sends; Node refuses header sections of 16 KiB by itself. */
const LONGEST = 16_384;

const SCHEME = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?: +|$)/;
const TOKEN68 = /^[A-Za-z0-9\-._~+/]+=*$/;
const SEPARATORS = /(?:[ \t]*,)*[ \t]*/y;
const PARAMETER =
  /([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*=[ \t]*(?:([!#$%&'*+\-.^_`|~0-9A-Za-z]+)|"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)")[ \t]*(?=,|$)/y;

/**
 * The scheme that a field value names, in lower case, or nothing when it names none. Says which adapter is
 * meant before anything else is looked at.
 *
 * @example
 * schemeOf('Digest username="Mufasa"'); // 'digest'
 */
export function schemeOf(field: string): string | undefined {
  return SCHEME.exec(field)?.[1]?.toLowerCase();
}

/**
 * Takes an `Authorization` field value apart (RFC 9110, 11.4): scheme, then one token68 or a list of
 * parameters, whose values may be tokens or quoted strings. Nothing comes back for what does not fit the
 * grammar, has a parameter twice, or is longer than 16 KiB.
 */
export function parseCredentials(field: string): Credentials | undefined {
  if (field.length > LONGEST) return undefined;
  const head = SCHEME.exec(field);
  const scheme = head?.[1]?.toLowerCase();
  if (head === null || scheme === undefined) return undefined;
  const rest = field.slice(head[0].length);
  if (TOKEN68.test(rest)) return { scheme, token68: rest, parameters: new Map() };
  const parameters = parseParameters(rest);
  return parameters && { scheme, parameters };
}

function parseParameters(text: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  let position = skipSeparators(text, 0);
  while (position < text.length) {
    PARAMETER.lastIndex = position;
    const match = PARAMETER.exec(text);
    const name = match?.[1]?.toLowerCase();
    if (match === null || name === undefined || parameters.has(name)) return undefined;
    parameters.set(name, match[2] ?? unescape(match[3] ?? ''));
    position = skipSeparators(text, position + match[0].length);
  }
  return parameters;
}

/** Takes the slashes of quoted pairs away, where there are any (RFC 9110, 5.6.4). */
function unescape(quoted: string): string {
  return quoted.includes('\\') ? quoted.replace(/\\(.)/gs, '$1') : quoted;
}

/** Empty elements of a list are allowed (RFC 9110, 5.6.1.2). */
function skipSeparators(text: string, position: number): number {
  SEPARATORS.lastIndex = position;
  return position + (SEPARATORS.exec(text)?.[0].length ?? 0);
}
