// Prints as JSON, in bytes, how much each cache retains after storing parts of many long strings.
import { createRequire } from 'node:module';
import { usedMemory } from '../../../factories/measure/used-memory.mjs';

const require = createRequire(new URL('../../../../dist/modules/mvc-auth/', import.meta.url));
const { Deployment } = require('../../framework/index.js');
const { Nonces } = require('./http/digest/nonces.js');
const { VerifiedNonces } = require('./http/digest/verified-nonces.js');
const { TargetDigests } = require('./http/digest/target-digests.js');
const { VerifiedCredentials } = require('./passwords/verified-credentials.js');
const { detachString } = require('./http/detach-string.js');

const TIMES = 100;
const LENGTH = 300_000;

/** A substring of a long string, as V8 represents it: retaining the part retains the whole. */
function partOfLong(part) {
  const text = Buffer.from(part + 'x'.repeat(LENGTH), 'latin1').toString('latin1');
  return text.slice(0, part.length);
}

function heldBy(hand, parts) {
  const before = usedMemory();
  for (const part of parts) hand(partOfLong(part));
  return usedMemory() - before;
}

const names = (prefix) =>
  Array.from({ length: TIMES }, (_, at) => `${prefix}${String(at).padStart(40, '0')}`);

const deployed = new Nonces(new Deployment());
const kept = [];
const copied = [];
const verifiedNonces = new VerifiedNonces(deployed, 60);
const targets = new TargetDigests();
const credentials = new VerifiedCredentials();
const nonces = names('').map(() => deployed.issue(Date.now(), 60));

const figures = {
  texts: TIMES * LENGTH,
  substring: heldBy((part) => kept.push(part), names('a')),
  copy: heldBy((part) => copied.push(detachString(part)), names('a')),
  'a verified nonce': heldBy((nonce) => verifiedNonces.read(nonce, Date.now()), nonces),
  'a target': heldBy((uri) => targets.add('MD5', 'GET', uri, ''), names('/')),
  'a verified user name': heldBy(
    (name) => credentials.remember(credentials.keyOf(name), { username: name, stored: '' }),
    names('user'),
  ),
};
// The measured entries are still cached: each store contains all of them.
for (const { length, size = length } of [kept, copied, verifiedNonces, targets])
  if (size !== TIMES) throw new Error(`${size} of ${TIMES} were kept`);
const [first] = names('user');
if (credentials.get(credentials.keyOf(first))?.username !== first) throw new Error(`${first} was not kept`);
console.log(JSON.stringify(figures));
