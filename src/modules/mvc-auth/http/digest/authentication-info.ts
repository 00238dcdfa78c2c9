import type { AuthenticationFields } from '../authentication';
import { quoted } from '../field-text';
import type { DigestCredentials } from './digest-credentials';

/**
 * Formats the field `Authentication-Info` (RFC 7616, 3.5; RFC 7615).
 *
 * @param rspauth omitted where the response body is a stream
 * @param nextnonce undefined to keep using the current nonce
 */
export function authenticationInfo(
  { qop, cnonce, nc }: Pick<DigestCredentials, 'qop' | 'cnonce' | 'nc'>,
  rspauth: string | undefined,
  nextnonce: string | undefined,
): AuthenticationFields {
  // Digests and nonces are hexadecimal, which needs no escaping.
  const proof = rspauth === undefined ? '' : `rspauth="${rspauth}", `;
  const next = nextnonce === undefined ? '' : `, nextnonce="${nextnonce}"`;
  return [['Authentication-Info', `${proof}qop=${qop}, cnonce=${quoted(cnonce)}, nc=${nc}${next}`]];
}
