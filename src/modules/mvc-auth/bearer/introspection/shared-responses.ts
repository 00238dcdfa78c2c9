import { createHmac } from 'node:crypto';
import { Sealer, type Deployment } from '../../../../framework';
import type { Claims } from '../claims';

/** An active token, as the authorization server described it. */
export interface KnownResponse {
  readonly claims: Claims;
  /** When the server was asked, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The responses of an authorization server about active tokens, shared by the nodes of a deployment: one of them asks. The
 * store has neither tokens nor claims: names are hashes with a key of the deployment, texts are sealed.
 */
export class SharedResponses {
  readonly #deployment: Deployment;
  readonly #server: string;
  #key: Buffer | undefined;
  #sealer: Sealer | undefined;

  /** @param server what the responses depend on: the endpoint, and the client that asks it */
  constructor(deployment: Deployment, server: readonly string[]) {
    this.#deployment = deployment;
    this.#server = JSON.stringify(server);
  }

  /** @returns undefined for an unknown token, without other nodes, and without the store */
  async find(token: string): Promise<KnownResponse | undefined> {
    const { store } = this.#deployment;
    if (store?.documents.isAvailable !== true) return undefined;
    const name = this.#nameOf(token);
    const [sealed] = await store.documents.get([name]).catch(() => []);
    const text = sealed === undefined ? undefined : this.#seals.open(sealed, name);
    // Sealed by a node of the deployment.
    return text === undefined ? undefined : (JSON.parse(text) as KnownResponse);
  }

  /** Never rejects. @param lifetime in milliseconds */
  async add(token: string, response: KnownResponse, lifetime: number): Promise<void> {
    const { store } = this.#deployment;
    if (store?.documents.isAvailable !== true || lifetime <= 0) return;
    const name = this.#nameOf(token);
    const sealed = this.#seals.seal(JSON.stringify(response), name);
    await store.documents.put(name, sealed, lifetime).catch(() => undefined);
  }

  #nameOf(token: string): string {
    this.#key ??= this.#deployment.keys.derive('introspected tokens')[0];
    const hash = createHmac('sha256', this.#key).update(`${this.#server}\n${token}`).digest('base64url');
    return `introspection:${hash}`;
  }

  get #seals(): Sealer {
    return (this.#sealer ??= new Sealer(this.#deployment.keys.derive('introspection responses')));
  }
}
