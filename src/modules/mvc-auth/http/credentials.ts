import { NO_PARAMETERS, parseParameters, type CredentialParameters } from './credential-parameters';

/** The value of one `Authorization` field, taken apart (RFC 9110, 11.4). */
export interface Credentials {
  /** The scheme in lower case. */
  readonly scheme: string;
  /** The one token that follows the scheme, e.g. of Basic. */
  readonly token68?: string;
  /** Parameters by lower-case name, quotes and quoting slashes taken away. */
  readonly parameters: CredentialParameters;
}

/** More than any browser sends; Node refuses header sections of 16 KiB by itself. */
const LONGEST = 16_384;

const SCHEME = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?: +|$)/;
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*$/y;

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
  const start = head[0].length;
  TOKEN68.lastIndex = start;
  if (TOKEN68.test(field)) return { scheme, token68: field.slice(start), parameters: NO_PARAMETERS };
  const parameters = parseParameters(field, start);
  return parameters && { scheme, parameters };
}
