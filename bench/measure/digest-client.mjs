// A Digest client that uses many nonces in turn, each with an increasing count (RFC 7616, 3.4).
import { createHash } from 'node:crypto';
import { ask } from './ask.mjs';
import { get } from './requests.mjs';

const md5 = (text) => createHash('md5').update(text).digest('hex');
const CNONCE = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';

/**
 * @param {object} options
 * @param {number} options.port
 * @param {string} options.target the request target, first requested without credentials
 * @param {string} options.user
 * @param {string} options.realm
 * @param {string} options.secret MD5 of user, realm and password
 * @param {number} [options.nonces]
 * @param {string} [options.challenged] target of the challenges; defaults to `target`
 * @returns {Promise<{ prepare(count: number): void, next(): string }>} prepared requests cost nothing when they are
 * sent
 */
export async function digestClient({ port, target, user, realm, secret, nonces = 128, challenged = target }) {
  const ha2 = md5(`GET:${target}`);
  const known = [];
  for (let at = 0; at < nonces; at++) known.push(md5Challenge(await ask(port, get(challenged))));
  let made = 0;
  let ready = [];
  let at = 0;
  const make = () => {
    const { nonce, opaque } = known[made % nonces];
    const nc = (Math.floor(made / nonces) + 1).toString(16).padStart(8, '0');
    made++;
    const response = md5(`${secret}:${nonce}:${nc}:${CNONCE}:auth:${ha2}`);
    const of = opaque === undefined ? '' : `, opaque="${opaque}"`;
    return get(target, {
      Authorization: `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${target}", algorithm=MD5, qop=auth, nc=${nc}, cnonce="${CNONCE}", response="${response}"${of}`,
    });
  };
  return {
    prepare(count) {
      // Unused requests stay first: counts must not decrease.
      ready = ready.slice(at);
      at = 0;
      while (ready.length < count) ready.push(make());
    },
    next: () => ready[at++] ?? make(),
  };
}

/** Nonce and opaque of the challenge for MD5, which is the default algorithm. */
function md5Challenge({ fields }) {
  const challenge = fields.find(
    (value, at) =>
      at % 2 === 1 &&
      fields[at - 1].toLowerCase() === 'www-authenticate' &&
      value.startsWith('Digest ') &&
      !/algorithm="?SHA/i.test(value),
  );
  const nonce = /nonce="([^"]+)"/.exec(challenge ?? '')?.[1];
  if (nonce === undefined) throw new Error('No Digest challenge with MD5 was received.');
  return { nonce, opaque: /opaque="([^"]+)"/.exec(challenge)?.[1] };
}
