import {
  LONGEST_CREDENTIALS,
  NO_PARAMETERS,
  parseParameters,
  type CredentialParameters,
} from './credential-parameters';

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
  if (field.length > LONGEST_CREDENTIALS) return undefined;
  const name = schemeOf(field);
  if (!SCHEME.test(name)) return undefined;
  const scheme = name.toLowerCase();
  let start = name.length;
  while (field.charCodeAt(start) === SPACE) start++;
  if (start === name.length && start < field.length) return undefined;
  TOKEN68.lastIndex = start;
  if (TOKEN68.test(field)) return { scheme, token68: field.slice(start), parameters: NO_PARAMETERS };
  const parameters = parseParameters(field, start);
  return parameters && { scheme, parameters };
}
