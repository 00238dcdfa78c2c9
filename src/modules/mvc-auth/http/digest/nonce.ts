import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const TIME = 6;
const LIFETIME = 4;
const RANDOM = 8;
const PROOF = 16;
const BODY = TIME + LIFETIME + RANDOM;
const NONCE = /^[0-9a-f]{68}$/;
const LONGEST_LIFETIME = 0xffff_ffff;

/** Clocks of several nodes may differ by this much, in milliseconds. */
const SKEW = 60_000;

/** What a genuine nonce says about itself, in milliseconds since the epoch. */
export interface NonceLife {
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/**
 * Makes a nonce (RFC 7616, 3.3): when it was made, for how many seconds it is valid, random bits, and an HMAC
 * over all of them. Hexadecimal only, since `=` and `~` break clients. Nothing is remembered of it.
 *
 * @param now milliseconds since the epoch
 * @param lifetime seconds
 */
export function issueNonce(key: Buffer, now: number, lifetime: number): string {
  const body = Buffer.alloc(BODY);
  body.writeUIntBE(Math.max(0, Math.floor(now)), 0, TIME);
  body.writeUInt32BE(Math.min(lifetime, LONGEST_LIFETIME), TIME);
  randomBytes(RANDOM).copy(body, TIME + LIFETIME);
  return Buffer.concat([body, proofOf(key, body)]).toString('hex');
}

/** Whether a nonce looks like one of ours, whoever made it. */
export function hasNonceForm(nonce: string): boolean {
  return NONCE.test(nonce);
}

/**
 * The life of a nonce that was made with this key, whether over or not; nothing for a forged, cut or foreign
 * one. The end is part of the nonce, so that a changed `nonce_timeout` never revives one.
 */
export function readNonce(key: Buffer, nonce: string): NonceLife | undefined {
  if (!hasNonceForm(nonce)) return undefined;
  const bytes = Buffer.from(nonce, 'hex');
  const body = bytes.subarray(0, BODY);
  if (!timingSafeEqual(bytes.subarray(BODY), proofOf(key, body))) return undefined;
  const issuedAt = body.readUIntBE(0, TIME);
  return { issuedAt, expiresAt: issuedAt + body.readUInt32BE(TIME) * 1000 };
}

/**
 * Whether a nonce may still be used.
 *
 * @param lifetime seconds, as configured now: shortening it ends older nonces too
 */
export function isFresh(life: NonceLife, now: number, lifetime: number): boolean {
  const end = Math.min(life.expiresAt, life.issuedAt + lifetime * 1000);
  return now < end && life.issuedAt <= now + SKEW;
}

function proofOf(key: Buffer, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, PROOF);
}
