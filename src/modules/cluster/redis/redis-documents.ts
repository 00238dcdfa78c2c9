import type { SharedDocuments } from '../../../framework';
import type { RedisLink } from './redis-link';

/** Texts in Redis, of one generation: what a server that was restored or replaced still has is never read. */
export class RedisDocuments implements SharedDocuments {
  readonly #link: RedisLink;
  readonly #prefix: () => string;

  /** @param prefix begins the keys; it changes with the generation */
  constructor(link: RedisLink, prefix: () => string) {
    this.#link = link;
    this.#prefix = prefix;
  }

  get isAvailable(): boolean {
    return this.#link.isUsable;
  }

  async get(names: readonly string[]): Promise<readonly (string | undefined)[]> {
    const found = await this.#link.command('MGET', ...names.map((name) => this.#keyOf(name)));
    return names.map((_, at) => textOf(Array.isArray(found) ? found[at] : undefined));
  }

  async put(name: string, text: string, lifetime: number, condition?: 'existing'): Promise<boolean> {
    const conditions = condition === undefined ? [] : ['XX'];
    const ends = Math.max(1, Math.ceil(lifetime));
    return (await this.#link.command('SET', this.#keyOf(name), text, 'PX', ends, ...conditions)) === 'OK';
  }

  async take(name: string): Promise<string | undefined> {
    return textOf(await this.#link.command('GETDEL', this.#keyOf(name)));
  }

  async remove(name: string): Promise<void> {
    await this.#link.command('DEL', this.#keyOf(name));
  }

  async increment(name: string): Promise<number> {
    return Number(await this.#link.command('INCR', this.#keyOf(name)));
  }

  #keyOf(name: string): string {
    return `${this.#prefix()}:d:${name}`;
  }
}

function textOf(reply: unknown): string | undefined {
  return typeof reply === 'string' ? reply : undefined;
}
