import { CredentialParameters } from './credential-parameters';
import { MAX_PARAMETERS_LENGTH, parseParameters } from './parse-parameters';

/** A parsed `Authorization` field value (RFC 9110, 11.4). */
export interface Credentials {
  /** The scheme in lower case. */
  readonly scheme: string;
  /** The token68 that follows the scheme, e.g. of Basic. */
  readonly token68?: string;
  /** Parameters by lower-case name, with quotes and backslash escapes removed. */
  readonly parameters: CredentialParameters;
}

const SCHEME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const SPACE = 0x20;
const NO_PARAMETERS = new CredentialParameters();
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*$/y;

/**
 * Returns the scheme that a field value names, as written there.
 *
 * @example
 * schemeOf('Digest username="Mufasa"'); // 'Digest'
 */
export function schemeOf(field: string): string {
  const end = field.indexOf(' ');
  return end < 0 ? field : field.slice(0, end);
}

/**
 * Parses an `Authorization` field value (RFC 9110, 11.4): a scheme, then one token68 or a list of parameters, whose
 * values are tokens or quoted strings. Returns undefined for invalid syntax, a repeated parameter, and more than
 * 16 KiB.
 */
export function parseCredentials(field: string): Credentials | undefined {
  const scheme = schemeOf(field);
  return SCHEME.test(scheme) ? parseCredentialsOf(scheme.toLowerCase(), field) : undefined;
}

/**
 * Parses a field value whose scheme is known already.
 *
 * @param scheme of {@link schemeOf}, in lower case
 */
export function parseCredentialsOf(scheme: string, field: string): Credentials | undefined {
  if (field.length > MAX_PARAMETERS_LENGTH) return undefined;
  let start = scheme.length;
  while (field.charCodeAt(start) === SPACE) start++;
  // A token68 is never a valid list of parameters, since parameter values are not empty.
  const parameters = parseParameters(field, start);
  if (parameters !== undefined) return { scheme, parameters };
  TOKEN68.lastIndex = start;
  return TOKEN68.test(field) ? { scheme, token68: field.slice(start), parameters: NO_PARAMETERS } : undefined;
}
