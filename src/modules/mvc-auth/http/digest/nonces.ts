import type { Deployment, NonceCounter } from '../../../../framework';
import type { HmacKey } from './hmac-key';
import { issueNonce, NONCE_RANDOM, nonceKey, readNonce, type NonceTimes } from './nonce';

interface NonceKeys {
  readonly generation: string;
  /** The current key, then those that are only accepted. */
  readonly keys: readonly [HmacKey, ...HmacKey[]];
}

/** The times of a nonce that the deployment has issued, and the generation in which it did. */
export interface KnownNonce extends NonceTimes {
  readonly generation: string;
}

/**
 * The nonces of a deployment: what one process issues, all verify. Their keys are derived for each generation of its
 * state, so that a nonce whose used counts may be lost is no longer known.
 */
export class Nonces {
  readonly #deployment: Deployment;
  #keys: NonceKeys | undefined;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  /** @param lifetime seconds */
  issue(now: number, lifetime: number): string {
    return issueNonce(this.#current().keys[0], now, lifetime, this.#deployment.random.next(NONCE_RANDOM));
  }

  /** Returns the times of a nonce of the current generation, expired or not; undefined for any other nonce. */
  read(nonce: string): KnownNonce | undefined {
    const { generation, keys } = this.#current();
    for (const key of keys) {
      const times = readNonce(key, nonce);
      if (times !== undefined) return { ...times, generation };
    }
    return undefined;
  }

  /** @throws DeploymentUnavailable while no nonce is accepted: a client would answer one challenge after the other */
  assertAvailable(): void {
    this.#deployment.state.assertAvailable?.();
  }

  /** The counter of a nonce that was read. @param nonce see {@link IssuedNonce.nonce} */
  counterFor(nonce: string, { issuedAt, expiresAt, generation }: KnownNonce): NonceCounter {
    const lifetime = expiresAt - issuedAt;
    return this.#deployment.state.counterFor({ nonce, expiresAt, lifetime, generation });
  }

  #current(): NonceKeys {
    const { state, keys } = this.#deployment;
    const { generation } = state;
    if (this.#keys?.generation !== generation) {
      const [current, ...accepted] = keys.derive(`digest nonce ${generation}`);
      this.#keys = { generation, keys: [nonceKey(current), ...accepted.map(nonceKey)] };
    }
    return this.#keys;
  }
}
