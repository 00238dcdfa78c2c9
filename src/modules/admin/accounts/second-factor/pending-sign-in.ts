import { Sealer, type Deployment } from '../../../../framework';

/** Milliseconds between the password and the second factor. */
const LIFETIME_MS = 5 * 60 * 1_000;
const PLACE = 'second factor';

/** An administrator whose password was verified. */
interface Pending {
  readonly name: string;
  /** The stored hash of the password: another one ends the attempt. */
  readonly credentials: string;
  /** Milliseconds since the epoch, by the clock of the deployment. */
  readonly at: number;
}

/** What is known between the password and the second factor. The form carries it, sealed: any node may continue. */
export class PendingSignIns {
  readonly #deployment: Deployment;
  #sealer: Sealer | undefined;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  seal(name: string, credentials: string): string {
    const pending: Pending = { name, credentials, at: this.#deployment.state.now() };
    return this.#seals.seal(JSON.stringify(pending), PLACE);
  }

  /** @returns undefined for a forged or expired text */
  open(sealed: string): Pending | undefined {
    const text = this.#seals.open(sealed, PLACE);
    if (text === undefined) return undefined;
    // Sealed by a node of the deployment.
    const pending = JSON.parse(text) as Pending;
    return this.#deployment.state.now() - pending.at < LIFETIME_MS ? pending : undefined;
  }

  get #seals(): Sealer {
    return (this.#sealer ??= new Sealer(this.#deployment.keys.derive('admin sign-in')));
  }
}
