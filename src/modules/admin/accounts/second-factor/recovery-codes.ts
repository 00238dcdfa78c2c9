import { createHash, randomInt } from 'node:crypto';

const COUNT = 10;
/** Without characters that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 16;

/** Creates codes of 79 bits that replace the device, each once: `k4mq-…`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: COUNT }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
      .join('')
      .replaceAll(/.{4}(?!$)/g, '$&-'),
  );
}

/** Returns the hash that is stored; capitals, hyphens and spaces are ignored. */
export function recoveryCodeHash(code: string): string {
  const bare = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return createHash('sha256').update(bare).digest('hex');
}
