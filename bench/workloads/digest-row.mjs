// A row of a Digest workload: nonces in turn, with MD5.
import { digestClient } from '../measure/digest-client.mjs';
import { digestSecrets, realm, user } from '../sample/guarded.mjs';
import { thing } from '../sample/things.mjs';
import { showsJson } from './checks.mjs';

/** The number of nonces of a client. */
export const noncesOf = ({ short }) => (short ? 8 : 128);

/** @param {number} nonces */
export async function digestRow(name, starting, nonces, more = {}) {
  const service = await starting;
  const client = await digestClient({
    port: service.port,
    target: '/digest/42',
    user,
    realm,
    secret: digestSecrets.md5,
    nonces,
  });
  return { name, service, ...client, check: showsJson(thing('42')), ...more };
}
