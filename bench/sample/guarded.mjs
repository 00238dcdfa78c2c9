// The user, and where its credentials are stored.
import { createHash } from 'node:crypto';

export const user = 'guide';
export const password = 'explore';
export const realm = 'Bench';

const secret = (algorithm) => createHash(algorithm).update(`${user}:${realm}:${password}`).digest('hex');

/** The secret that a Digest server stores, by algorithm (RFC 7616, 3.4.2). */
export const digestSecrets = { sha256: secret('sha256'), md5: secret('md5') };

/** bcrypt with cost 5, the default of Apache's htpasswd; with the prefix that every peer supports. */
export const bcryptHash = '$2a$05$Yx/1z4yn7hrmo5eKvD2AGOUGWKEzfKf9o8ywe2/Ll9jonTpkTq41O';
