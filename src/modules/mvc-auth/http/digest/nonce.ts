import { equalInConstantTime } from '../constant-time';
import { HmacKey } from './hmac-key';

/** Lengths of the parts of a nonce, in hexadecimal digits. */
const TIME = 12;
const LIFETIME = 8;
const RANDOM = 16;
const HMAC = 32;
const BODY = TIME + LIFETIME + RANDOM;

/** The number of random bytes in a nonce. */
export const NONCE_RANDOM = RANDOM / 2;

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
 * @param key see {@link nonceKey}
 * @param now milliseconds since the epoch
 * @param lifetime seconds
 * @param random {@link NONCE_RANDOM} random bytes, in hexadecimal
 */
export function issueNonce(key: HmacKey, now: number, lifetime: number, random: string): string {
  const time = digits(Math.max(0, Math.floor(now)), TIME);
  const body = time + digits(Math.min(lifetime, MAX_LIFETIME), LIFETIME) + random;
  return body + hmacOf(key, body);
}

/** Creates the key of nonces from its bytes. */
export function nonceKey(bytes: Buffer): HmacKey {
  return new HmacKey(bytes, BODY / 2);
}

/** Whether a nonce has the format of ours; its HMAC is not checked. */
export function hasNonceForm(nonce: string): boolean {
  return NONCE.test(nonce);
}

/**
 * Returns the times of a nonce that was issued with this key, expired or not; undefined for any other nonce. The
 * lifetime is part of the nonce, so that a longer `nonce_timeout` never revives an expired one.
 */
export function readNonce(key: HmacKey, nonce: string): NonceTimes | undefined {
  if (!hasNonceForm(nonce)) return undefined;
  const body = nonce.slice(0, BODY);
  if (!equalInConstantTime(nonce.slice(BODY), hmacOf(key, body))) return undefined;
  const issuedAt = Number.parseInt(body.slice(0, TIME), 16);
  return { issuedAt, expiresAt: issuedAt + Number.parseInt(body.slice(TIME, TIME + LIFETIME), 16) * 1000 };
}

/** @param lifetime seconds, as configured now: shortening it expires older nonces too */
export function isFresh(times: NonceTimes, now: number, lifetime: number): boolean {
  const end = Math.min(times.expiresAt, times.issuedAt + lifetime * 1000);
  return now < end && times.issuedAt <= now + SKEW;
}

function hmacOf(key: HmacKey, body: string): string {
  return key.sign(body).slice(0, HMAC);
}

function digits(number: number, count: number): string {
  return number.toString(16).padStart(count, '0');
}
