import type { AuthenticationFields } from '../../adapter';
import { quoted } from '../field-text';
import type { DigestCredentials } from './digest-credentials';

/**
 * The field `Authentication-Info` (RFC 7616, 3.5; RFC 7615).
 *
 * @param proof `rspauth`; left out where there is none
 * @param next the nonce to go on with; undefined to stay with the present one
 */
export function authenticationInfo(
  { qop, cnonce, nc }: Pick<DigestCredentials, 'qop' | 'cnonce' | 'nc'>,
  proof: string | undefined,
  next: string | undefined,
): AuthenticationFields {
  // Digests and nonces are hexadecimal: nothing of them has to be escaped.
  const rspauth = proof === undefined ? '' : `rspauth="${proof}", `;
  const nextnonce = next === undefined ? '' : `, nextnonce="${next}"`;
  return [['Authentication-Info', `${rspauth}qop=${qop}, cnonce=${quoted(cnonce)}, nc=${nc}${nextnonce}`]];
}
