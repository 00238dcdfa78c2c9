// Who signs in, and where it is said.
import { createHash } from 'node:crypto';

export const user = 'guide';
export const password = 'explore';
export const realm = 'Bench';

const secret = (algorithm) => createHash(algorithm).update(`${user}:${realm}:${password}`).digest('hex');

/** What a Digest server keeps of the password, by algorithm (RFC 7616, 3.4.2). */
export const digestSecrets = { sha256: secret('sha256'), md5: secret('md5') };

/** bcrypt at cost 5, which Apache’s htpasswd takes unless told; with the prefix that every peer knows. */
export const bcryptHash = '$2a$05$Yx/1z4yn7hrmo5eKvD2AGOUGWKEzfKf9o8ywe2/Ll9jonTpkTq41O';
