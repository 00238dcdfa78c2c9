import { steadyNow } from '../values/steady-now';
import type { DeploymentState, IssuedNonce, NonceCounter } from './deployment-state';
import { NonceCounts } from './nonce-counts';

/** The state of a deployment in the memory of one process. Everything is synchronous. */
export class MemoryState implements DeploymentState {
  /** Constant: what could lose claims also ends the process, and its keys with it. */
  readonly generation: string = '';
  readonly #counts = new NonceCounts({ clock: steadyNow });

  /** The number of nonces with used counts. */
  get nonces(): number {
    return this.#counts.size;
  }

  now(): number {
    return steadyNow();
  }

  counterFor(nonce: IssuedNonce): NonceCounter {
    return this.#counts.counterFor(nonce);
  }
}
