import { hkdfSync, randomBytes } from 'node:crypto';

const LENGTH = 32;

/**
 * The keys of a deployment by purpose, derived from its secrets (HKDF, RFC 5869): a key that leaks reveals neither the
 * secret nor another key.
 */
export class DeploymentKeys {
  readonly #secrets: readonly [Buffer, ...Buffer[]];

  /** @param secrets the current one, then those that are still accepted; each at least 32 random octets */
  constructor(secrets: readonly [Buffer, ...Buffer[]]) {
    this.#secrets = secrets;
  }

  /** Keys of a single process, which end with it. */
  static random(): DeploymentKeys {
    return new DeploymentKeys([randomBytes(LENGTH)]);
  }

  /** The secrets, for the worker processes of this one. */
  get secrets(): readonly [Buffer, ...Buffer[]] {
    return this.#secrets;
  }

  /**
   * Returns keys of 32 octets: the current one, which signs, then those that are only accepted.
   * @param purpose a constant name; anything that is part of it must not come from a client
   */
  derive(purpose: string): readonly [Buffer, ...Buffer[]] {
    const [current, ...previous] = this.#secrets;
    return [derived(current, purpose), ...previous.map((secret) => derived(secret, purpose))];
  }
}

function derived(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `apidesc-platform ${purpose}`, LENGTH));
}
