import { describeValue, isObject } from '../../../framework';

/** The claims of a token, or of an introspection response. */
export type Claims = Readonly<Record<string, unknown>>;

/** The names of claims; those of members of objects have dots, e.g. `realm_access.roles`. */
export interface ClaimNames {
  readonly name: string;
  readonly groups: string;
  readonly scope: string;
}

/** Who a token is for, and what it allows. */
export interface TokenSubject {
  readonly username: string;
  readonly groups: readonly string[];
  readonly scopes: readonly string[];
}

/** Names appear in logs, pages and header fields. */
const MAX_NAME_LENGTH = 256;

/**
 * Controls, invisible characters such as those that change the direction of text, line and paragraph separators,
 * surrogates without their other half, fillers, and spaces at the ends: a name with them looks like another one, or cannot
 * be written.
 */
const UNCLEAR = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]|^\s|\s$/u;

/** Joiners within words of Persian and Hindi, or an emoji (U+200C and U+200D): they change what they are between. */
const JOINERS = /(?<=[^\0-\x7F])[\u200C\u200D](?=[^\0-\x7F])/gu;

/** More than the seconds that servers write for "never", such as 2^63 milliseconds. */
const MAX_SECONDS = 1e16;

/** Whether a claim is a NumericDate (RFC 7519, 2): JSON may have larger numbers, as 1e999. */
function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_SECONDS;
}

/** Whether the end and the beginning of a token (RFC 7519, 4.1.4 and 4.1.5), where it has them, are dates. Null is none. */
export function hasValidDates({ exp, nbf }: Claims): boolean {
  return [exp, nbf].every((date) => date === undefined || date === null || isNumericDate(date));
}

/**
 * Whether a token is bound to a key of its client (RFC 7800, 3.1), by a certificate (RFC 8705, 3) or DPoP (RFC 9449, 6):
 * its possession proves nothing.
 */
export function isBoundToKey({ cnf }: Claims): boolean {
  return cnf !== undefined && cnf !== null;
}

/** Returns what is wrong with the claim that contains the name; undefined for a usable name. */
export function nameIssue(claims: Claims, { name }: Pick<ClaimNames, 'name'>): string | undefined {
  const value = claimAt(claims, name);
  const claim = `the claim ${JSON.stringify(name)}, which contains the name of the user,`;
  if (value === undefined) return `${claim} is missing`;
  // Other values may be those of a person.
  if (typeof value !== 'string')
    return `${claim} is ${typeof value === 'object' ? describeValue(value) : `a ${typeof value}`}, not a string`;
  if (value === '') return `${claim} is empty`;
  if (value.length > MAX_NAME_LENGTH) return `${claim} has more than ${MAX_NAME_LENGTH} characters`;
  return UNCLEAR.test(value.replace(JOINERS, ''))
    ? `${claim} has control characters, invisible characters, or spaces at its ends`
    : undefined;
}

/** Returns undefined without a usable name. Groups and scopes other than text are ignored. */
export function subjectOf(claims: Claims, names: ClaimNames): TokenSubject | undefined {
  const username = claimAt(claims, names.name);
  if (typeof username !== 'string' || nameIssue(claims, names) !== undefined) return undefined;
  const groups = claimAt(claims, names.groups);
  return {
    username,
    groups: typeof groups === 'string' ? [groups].filter((name) => name !== '') : textsIn(groups),
    scopes: scopesOf(claimAt(claims, names.scope)),
  };
}

/** A list separated by spaces (RFC 8693, 4.2), or an array, as some servers issue. */
function scopesOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? value.split(' ').filter((scope) => scope !== '') : textsIn(value);
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string' && one !== '')
    : [];
}

/** A claim by its name; otherwise, since names such as URLs have dots, too, a member of an object. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}
