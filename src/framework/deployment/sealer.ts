import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** Encrypts texts that leave the process (AES-256-GCM): who can read or change the store learns and forges nothing. */
export class Sealer {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  /** @param keys of 32 octets, derived for this purpose alone: the current one seals, all of them open */
  constructor(keys: readonly [Buffer, ...Buffer[]]) {
    this.#keys = keys;
  }

  /** @param place where the text is kept: elsewhere it cannot be opened */
  seal(text: string, place: string): string {
    const nonce = randomBytes(NONCE_LENGTH);
    const cipher = createCipheriv(ALGORITHM, this.#keys[0], nonce, { authTagLength: TAG_LENGTH });
    cipher.setAAD(Buffer.from(place));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64url');
  }

  /** @returns undefined for anything that was not sealed for this place, with one of the keys */
  open(sealed: string, place: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NONCE_LENGTH + TAG_LENGTH) return undefined;
    for (const key of this.#keys) {
      try {
        const nonce = bytes.subarray(0, NONCE_LENGTH);
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_LENGTH });
        decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_LENGTH));
        const text = decipher.update(bytes.subarray(NONCE_LENGTH, -TAG_LENGTH));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        // Sealed with another key, for another place, or changed.
      }
    }
    return undefined;
  }
}
