/** Longer tokens are refused, in characters. Node.js limits all header fields of a request to 16 KiB. */
const MAX_TOKEN_LENGTH = 8_192;

/** The longest field that may have a token: the scheme, and some spaces. */
export const MAX_FIELD_LENGTH = MAX_TOKEN_LENGTH + 64;

/** b64token (RFC 6750, 2.1), which may end with `=`. */
const FIELD = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Returns the token of an `Authorization` field value (RFC 6750, 2.1); undefined for another scheme, other characters, and
 * more than 8 KiB.
 *
 * @example
 * readBearerToken('Bearer mF_9.B5f-4.1JqM'); // 'mF_9.B5f-4.1JqM'
 */
export function readBearerToken(field: string): string | undefined {
  if (field.length > MAX_FIELD_LENGTH) return undefined;
  const token = FIELD.exec(field)?.[1];
  return token === undefined || token.length > MAX_TOKEN_LENGTH ? undefined : token;
}
