import { DeploymentKeys } from './deployment-keys';
import type { DeploymentState } from './deployment-state';
import { MemoryState } from './memory-state';

/**
 * What the processes of a deployment have in common: state and keys. Without workers and other nodes these are the
 * memory of this process and random keys.
 *
 * @example
 * const deployment = sharedState.getOrCreate(Deployment, () => new Deployment());
 */
export class Deployment {
  #state: DeploymentState;
  #keys: DeploymentKeys;

  constructor(state: DeploymentState = new MemoryState(), keys: DeploymentKeys = DeploymentKeys.random()) {
    this.#state = state;
    this.#keys = keys;
  }

  get state(): DeploymentState {
    return this.#state;
  }

  get keys(): DeploymentKeys {
    return this.#keys;
  }

  /** Replaces the state and the keys. Call it before anything uses them: before the modules that do are bootstrapped. */
  use(state: DeploymentState, keys: DeploymentKeys): void {
    this.#state = state;
    this.#keys = keys;
  }
}
