import { CountPeers } from '../../../../framework';
import { ClientUsage } from './client-usage';
import type { Use } from './sliding-window';

interface LimitClient {
  /** Of the limit. */
  readonly name: string;
  /** In seconds. */
  readonly window: number;
  readonly client: string;
}

/** What a client has used of a limit: something more, or all that another process knows of. */
export type UsedLimit = LimitClient & ({ readonly weight: number } | { readonly uses: readonly Use[] });

/** The usage of all limits, and how often each refused a request. Survives configuration reloads. */
export class RateLimitState {
  /** Others that count, too. */
  readonly peers = new CountPeers<UsedLimit>((used) => this.#add(used));
  readonly #usage = new Map<string, ClientUsage>();
  readonly #windows = new Map<string, number>();
  readonly #refusals = new Map<string, number>();

  /** Each limit has a name of its own, of which the window is a part. */
  usageOf(name: string, window: number): ClientUsage {
    const known = this.#usage.get(name);
    if (known !== undefined) return known;
    const created = new ClientUsage(window, {
      onAdd: (client, weight) => {
        if (!this.peers.isEmpty) this.peers.tell({ name, window, client, weight });
      },
    });
    this.#usage.set(name, created);
    this.#windows.set(name, window);
    return created;
  }

  #add(used: UsedLimit): void {
    const usage = this.usageOf(used.name, used.window);
    if ('weight' in used) usage.merge(used.client, used.weight);
    else usage.raise(used.client, used.uses);
  }

  /** What all clients use now, for a process that starts to count. */
  *uses(): Generator<UsedLimit> {
    for (const [name, usage] of this.#usage) {
      const window = this.#windows.get(name) ?? 0;
      for (const [client, uses] of usage.uses()) yield { name, window, client, uses };
    }
  }

  /** By the name of the limit. */
  get usage(): ReadonlyMap<string, ClientUsage> {
    return this.#usage;
  }

  get refusals(): ReadonlyMap<string, number> {
    return this.#refusals;
  }

  countRefusal(name: string): void {
    this.#refusals.set(name, (this.#refusals.get(name) ?? 0) + 1);
  }
}
