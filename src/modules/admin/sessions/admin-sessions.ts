import { Sealer, type Deployment, type DeploymentStore, type Log } from '../../../framework';
import { Drafts } from './drafts';
import { Reviews } from './reviews';
import type { SessionStore } from './session-store';
import { ShownReviews } from './shown-reviews';
import { Sessions } from './sessions';
import { SharedSessions } from './shared-sessions';

/** The sessions of administrators, and what they have yet to confirm. */
interface Kept {
  readonly sessions: SessionStore;
  readonly drafts: Drafts;
  readonly reviews: Reviews;
  readonly shownReviews: ShownReviews;
}

/** What is kept for administrators: in the store of the deployment, if it has one. It outlives reloads. */
export class AdminSessions {
  readonly #deployment: Deployment;
  readonly #log: Log;
  #store: DeploymentStore | undefined;
  #kept: Kept | undefined;

  constructor(deployment: Deployment, log: Log) {
    this.#deployment = deployment;
    this.#log = log;
  }

  get kept(): Kept {
    const { store } = this.#deployment;
    // A reload may remove the module that connects to the store.
    if (this.#kept === undefined || store !== this.#store) this.#kept = this.#keep(store);
    this.#store = store;
    return this.#kept;
  }

  #keep(store: DeploymentStore | undefined): Kept {
    if (store === undefined)
      return {
        sessions: new Sessions(),
        drafts: new Drafts(),
        reviews: new Reviews(),
        shownReviews: new ShownReviews(),
      };
    const { documents } = store;
    const shared = { documents, sealer: new Sealer(this.#deployment.keys.derive('admin forms')) };
    return {
      sessions: new SharedSessions(this.#deployment, documents, this.#log),
      drafts: new Drafts(undefined, shared),
      reviews: new Reviews(undefined, shared),
      shownReviews: new ShownReviews(undefined, shared),
    };
  }
}
