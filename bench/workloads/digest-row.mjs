// A row of a Digest workload: 128 nonces in turn, with MD5.
import { digestClient } from '../measure/digest-client.mjs';
import { digestSecrets, realm, user } from '../sample/guarded.mjs';
import { thing } from '../sample/things.mjs';
import { showsJson } from './checks.mjs';

/** @param {boolean} short fewer nonces */
export async function digestRow(name, starting, short, more = {}) {
  const service = await starting;
  const client = await digestClient({
    port: service.port,
    target: '/digest/42',
    user,
    realm,
    secret: digestSecrets.md5,
    nonces: short ? 8 : 128,
  });
  return { name, service, ...client, check: showsJson(thing('42')), ...more };
}
