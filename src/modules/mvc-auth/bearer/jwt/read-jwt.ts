import { isObject, parseJson } from '../../../../framework';
import { decodeUtf8 } from '../../http/field-text';
import type { Claims } from '../claims';

/** The header of a signed token (RFC 7515, 4). */
export interface JwtHeader {
  readonly alg: string;
  readonly kid?: string;
}

/** A token whose signature is not verified yet. */
export interface UnverifiedJwt {
  readonly header: JwtHeader;
  readonly claims: Claims;
}

/** Longer key IDs are refused. */
const MAX_KID_LENGTH = 256;

/** Canonical base64url without padding (RFC 7515, 2). */
const BASE64URL = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}|[A-Za-z0-9_-]{3})?$/;

/**
 * Header parameters that are refused: keys that the sender chooses (`jku`, `x5u`, `jwk`), extensions that must be
 * understood, and nested, compressed or encrypted content (RFC 8725, 3.1 and 3.10).
 */
const REFUSED = ['jku', 'x5u', 'jwk', 'crit', 'b64', 'cty', 'zip', 'enc'];

/** Tokens of other types are for something else, e.g. logging out (RFC 8725, 3.11; RFC 9068, 2.1). */
const TYPES = ['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt'];

/**
 * Parses a signed token (RFC 7519) in compact form. Returns undefined for anything else, and for a header with a
 * parameter that could change how the signature is verified.
 */
export function readJwt(token: string): UnverifiedJwt | undefined {
  const parts = token.split('.', 4);
  const [first = '', second = '', signature = ''] = parts;
  if (parts.length !== 3 || signature === '' || !BASE64URL.test(signature)) return undefined;
  const header = readObject(first);
  const claims = readObject(second);
  if (header === undefined || claims === undefined) return undefined;
  const { alg, kid, typ } = header;
  if (typeof alg !== 'string' || REFUSED.some((name) => Object.hasOwn(header, name))) return undefined;
  if (typ !== undefined && (typeof typ !== 'string' || !TYPES.includes(typ.toLowerCase()))) return undefined;
  if (kid === undefined) return { header: { alg }, claims };
  if (typeof kid !== 'string' || kid.length > MAX_KID_LENGTH) return undefined;
  return { header: { alg, kid }, claims };
}

function readObject(part: string): Readonly<Record<string, unknown>> | undefined {
  if (!BASE64URL.test(part)) return undefined;
  const text = decodeUtf8(Buffer.from(part, 'base64url'));
  const value = text === undefined ? undefined : parseJson(text);
  return isObject(value) ? value : undefined;
}
