import type { AuthenticationFields } from '../../adapter';
import { quoted } from '../field-text';
import type { DigestInput } from './digest-response';

/**
 * The field `Authentication-Info` (RFC 7616, 3.5; RFC 7615).
 *
 * @param proof `rspauth`; left out where there is none
 * @param next the nonce to go on with; undefined to stay with the present one
 */
export function authenticationInfo(
  { qop, cnonce, nc }: DigestInput,
  proof: string | undefined,
  next: string | undefined,
): AuthenticationFields {
  const rspauth = proof === undefined ? '' : `rspauth=${quoted(proof)}, `;
  const nextnonce = next === undefined ? '' : `, nextnonce=${quoted(next)}`;
  return [['Authentication-Info', `${rspauth}qop=${qop}, cnonce=${quoted(cnonce)}, nc=${nc}${nextnonce}`]];
}
