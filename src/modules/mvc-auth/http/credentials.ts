import { CredentialParameters } from './credential-parameters';
import { LONGEST_CREDENTIALS, parseParameters } from './parse-parameters';

/** The value of one `Authorization` field, taken apart (RFC 9110, 11.4). */
export interface Credentials {
  /** The scheme in lower case. */
  readonly scheme: string;
  /** The one token that follows the scheme, e.g. of Basic. */
  readonly token68?: string;
  /** Parameters by lower-case name, quotes and quoting slashes taken away. */
  readonly parameters: CredentialParameters;
}

const SCHEME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const SPACE = 0x20;
const NO_PARAMETERS = new CredentialParameters();
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*$/y;

/**
 * The scheme that a field value names, as it is written there: which adapter is meant is told by it before anything else
 * is looked at.
 *
 * @example
 * schemeOf('Digest username="Mufasa"'); // 'Digest'
 */
export function schemeOf(field: string): string {
  const end = field.indexOf(' ');
  return end < 0 ? field : field.slice(0, end);
}

/**
 * Takes an `Authorization` field value apart (RFC 9110, 11.4): scheme, then one token68 or a list of
 * parameters, whose values may be tokens or quoted strings. Nothing comes back for what does not fit the
 * grammar, has a parameter twice, or is longer than 16 KiB.
 */
export function parseCredentials(field: string): Credentials | undefined {
  const scheme = schemeOf(field);
  return SCHEME.test(scheme) ? credentialsOf(scheme.toLowerCase(), field) : undefined;
}

/**
 * The same, where it is known what the scheme is.
 * @param scheme that of the field, in lower case
 */
export function credentialsOf(scheme: string, field: string): Credentials | undefined {
  if (field.length > LONGEST_CREDENTIALS) return undefined;
  let start = scheme.length;
  while (field.charCodeAt(start) === SPACE) start++;
  if (start === scheme.length && start < field.length) return undefined;
  // What is one token68 is no list of parameters, whose values are not empty.
  const parameters = parseParameters(field, start);
  if (parameters !== undefined) return { scheme, parameters };
  TOKEN68.lastIndex = start;
  return TOKEN68.test(field) ? { scheme, token68: field.slice(start), parameters: NO_PARAMETERS } : undefined;
}
