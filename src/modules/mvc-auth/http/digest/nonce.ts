import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const TIME = 6;
const LIFETIME = 4;
const RANDOM = 8;
const HMAC = 16;
const BODY = TIME + LIFETIME + RANDOM;
const NONCE = /^[0-9a-f]{68}$/;
const MAX_LIFETIME = 0xffff_ffff;

/** Tolerated clock difference between nodes, in milliseconds. */
const SKEW = 60_000;

/** The times in a nonce, in milliseconds since the epoch. */
export interface NonceTimes {
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/**
 * Issues a nonce (RFC 7616, 3.3): creation time, lifetime, random bits and an HMAC over them, so that no state is
 * kept. Hexadecimal, since `=` and `~` break clients.
 *
 * @param now milliseconds since the epoch
 * @param lifetime seconds
 */
export function issueNonce(key: Buffer, now: number, lifetime: number): string {
  const body = Buffer.alloc(BODY);
  body.writeUIntBE(Math.max(0, Math.floor(now)), 0, TIME);
  body.writeUInt32BE(Math.min(lifetime, MAX_LIFETIME), TIME);
  randomBytes(RANDOM).copy(body, TIME + LIFETIME);
  return Buffer.concat([body, hmacOf(key, body)]).toString('hex');
}

/** Whether a nonce has the format of ours; its HMAC is not checked. */
export function hasNonceForm(nonce: string): boolean {
  return NONCE.test(nonce);
}

/**
 * Returns the times of a nonce that was issued with this key, expired or not; undefined for any other nonce. The
 * lifetime is part of the nonce, so that a longer `nonce_timeout` never revives an expired one.
 */
export function readNonce(key: Buffer, nonce: string): NonceTimes | undefined {
  if (!hasNonceForm(nonce)) return undefined;
  const bytes = Buffer.from(nonce, 'hex');
  const body = bytes.subarray(0, BODY);
  if (!timingSafeEqual(bytes.subarray(BODY), hmacOf(key, body))) return undefined;
  const issuedAt = body.readUIntBE(0, TIME);
  return { issuedAt, expiresAt: issuedAt + body.readUInt32BE(TIME) * 1000 };
}

/** @param lifetime seconds, as configured now: shortening it expires older nonces too */
export function isFresh(times: NonceTimes, now: number, lifetime: number): boolean {
  const end = Math.min(times.expiresAt, times.issuedAt + lifetime * 1000);
  return now < end && times.issuedAt <= now + SKEW;
}

function hmacOf(key: Buffer, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, HMAC);
}
