import { DeploymentKeys } from './deployment-keys';
import type { DeploymentState } from './deployment-state';
import type { ExactCounts } from './exact-counts';
import { MemoryState } from './memory-state';
import type { SharedDocuments } from './shared-documents';
import { RandomHex } from '../text/random-hex';

/** What only a store that all nodes reach can offer. */
export interface DeploymentStore {
  readonly exactCounts: ExactCounts;
  readonly documents: SharedDocuments;
}

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
  #store: DeploymentStore | undefined;
  /** Generates random ids. */
  readonly random = new RandomHex();
  /** Whether the process is a worker: its primary talks to other nodes. */
  readonly isWorker: boolean;

  constructor(
    state: DeploymentState = new MemoryState(),
    keys: DeploymentKeys = DeploymentKeys.random(),
    isWorker = false,
  ) {
    this.#state = state;
    this.#keys = keys;
    this.isWorker = isWorker;
  }

  get state(): DeploymentState {
    return this.#state;
  }

  get keys(): DeploymentKeys {
    return this.#keys;
  }

  /** Undefined without other nodes. */
  get store(): DeploymentStore | undefined {
    return this.#store;
  }

  /** Replaces the state and the keys. Call it before anything uses them: before the modules that do are bootstrapped. */
  use(state: DeploymentState, keys: DeploymentKeys, store?: DeploymentStore): void {
    this.#state = state;
    this.#keys = keys;
    this.#store = store;
  }
}
