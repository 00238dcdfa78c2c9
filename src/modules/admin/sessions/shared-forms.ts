import type { Sealer, SharedDocuments } from '../../../framework';
import { idOf } from './sessions';

export interface SharedFormsOptions {
  readonly documents: SharedDocuments;
  readonly sealer: Sealer;
}

/** Forms that any node may need next, sealed in a store that all of them reach. */
export class SharedForms {
  readonly #kind: string;
  readonly #documents: SharedDocuments;
  readonly #sealer: Sealer;

  /** @param kind begins the names, such as `draft` */
  constructor(kind: string, { documents, sealer }: SharedFormsOptions) {
    this.#kind = kind;
    this.#documents = documents;
    this.#sealer = sealer;
  }

  /**
   * Without the store, only this node has the form.
   * @param place where the form belongs: elsewhere it is not found
   * @returns whether the store has it
   */
  async keep(token: string, place: string, text: string, lifetime: number): Promise<boolean> {
    const name = this.#nameOf(token);
    const sealed = this.#sealer.seal(text, `${name} ${place}`);
    return await this.#documents.put(name, sealed, lifetime).catch(() => false);
  }

  async find(token: string, place: string): Promise<string | undefined> {
    const name = this.#nameOf(token);
    const [sealed] = await this.#documents.get([name]).catch(() => []);
    return sealed === undefined ? undefined : this.#sealer.open(sealed, `${name} ${place}`);
  }

  /**
   * Removes a form, and returns it.
   * @returns undefined if another node has taken it, and for another place; `unavailable` without the store
   */
  async take(token: string, place: string): Promise<string | undefined | typeof UNAVAILABLE> {
    const name = this.#nameOf(token);
    try {
      // Only where it belongs, so that a guess elsewhere removes nothing.
      if ((await this.#openStored(name, place)) === undefined) return undefined;
      const sealed = await this.#documents.take(name);
      return sealed === undefined ? undefined : this.#sealer.open(sealed, `${name} ${place}`);
    } catch {
      return UNAVAILABLE;
    }
  }

  async remove(token: string): Promise<void> {
    await this.#documents.remove(this.#nameOf(token)).catch(() => undefined);
  }

  async #openStored(name: string, place: string): Promise<string | undefined> {
    const [sealed] = await this.#documents.get([name]);
    return sealed === undefined ? undefined : this.#sealer.open(sealed, `${name} ${place}`);
  }

  #nameOf(token: string): string {
    return `${this.#kind}:${idOf(token)}`;
  }
}

export const UNAVAILABLE = Symbol('unavailable');
