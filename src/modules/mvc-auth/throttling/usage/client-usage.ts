import { SlidingWindow, slotLengthOf, type Quota, type Use } from './sliding-window';

/** Clients whose usage is kept for each limit. */
const MAX_CLIENTS = 100_000;

/** Clients that are examined whenever one is added, so that expired ones do not accumulate. */
const EXAMINED = 2;

/**
 * The usage of the clients of one limit. It runs for every request: without promises and timers, in bounded memory, and
 * with a monotonic clock: setting the system's clock neither extends nor resets a limit.
 */
export class ClientUsage {
  readonly #clients = new Map<string, SlidingWindow>();
  /** The usage of requests of which is not known yet whether they count. */
  readonly #held = new Map<string, number>();
  readonly #slotLength: number;
  readonly #maximum: number;
  readonly #now: () => number;
  readonly #onAdd: ((client: string, weight: number) => void) | undefined;

  /** @param window in seconds */
  constructor(
    window: number,
    {
      maximum = MAX_CLIENTS,
      now = () => performance.now(),
      onAdd,
    }: {
      readonly maximum?: number;
      readonly now?: () => number;
      /** Called with what is counted here. */
      readonly onAdd?: (client: string, weight: number) => void;
    } = {},
  ) {
    this.#onAdd = onAdd;
    this.#slotLength = slotLengthOf(window);
    this.#maximum = maximum;
    this.#now = now;
  }

  /** The number of clients in memory. */
  get size(): number {
    return this.#clients.size;
  }

  /** Milliseconds until a request of this weight is within the limit; 0 if it is now. */
  msUntil(client: string, weight: number, limit: number): number {
    const usage = this.#clients.get(client);
    const held = this.#held.get(client) ?? 0;
    if (usage === undefined && held === 0) return 0;
    const now = this.#now();
    const excess = (usage?.used(this.#slotLength, now) ?? 0) + held + weight - limit;
    if (excess <= 0) return 0;
    const wait = usage?.msUntilFree(excess, this.#slotLength, now) ?? 0;
    return held === 0 ? wait : Math.max(1, wait);
  }

  /** Takes usage into account that is counted or not later, until it is released. */
  hold(client: string, weight: number): void {
    this.#held.set(client, (this.#held.get(client) ?? 0) + weight);
  }

  /** Ends {@link hold}. */
  release(client: string, weight: number): void {
    const rest = (this.#held.get(client) ?? 0) - weight;
    if (rest > 0) this.#held.set(client, rest);
    else this.#held.delete(client);
  }

  add(client: string, weight: number): void {
    this.merge(client, weight);
    this.#onAdd?.(client, weight);
  }

  /** Adds what another process has counted. */
  merge(client: string, weight: number): void {
    this.#usageOf(client).add(weight, this.#slotLength, this.#now());
  }

  /** Raises the usage of a client to that of others who know more. */
  raise(client: string, uses: readonly Use[]): void {
    this.#usageOf(client).raise(uses, this.#slotLength, this.#now());
  }

  /** What each client uses now. */
  *uses(): Generator<readonly [client: string, uses: readonly Use[]]> {
    const now = this.#now();
    for (const [client, usage] of this.#clients) {
      const uses = usage.uses(this.#slotLength, now);
      if (uses.length > 0) yield [client, uses];
    }
  }

  #usageOf(client: string): SlidingWindow {
    const known = this.#clients.get(client);
    if (known !== undefined) return known;
    this.#makeRoom();
    const created = new SlidingWindow();
    this.#clients.set(client, created);
    return created;
  }

  quota(client: string, limit: number): Quota {
    const usage = this.#clients.get(client);
    if (usage === undefined) return { remaining: limit, reset: 0 };
    const now = this.#now();
    const remaining = Math.max(0, limit - usage.used(this.#slotLength, now));
    return { remaining, reset: usage.msUntilFree(1, this.#slotLength, now) };
  }

  /** Removes clients whose usage has expired, and the oldest if all places are taken. */
  #makeRoom(): void {
    let examined = 0;
    for (const [client, usage] of this.#clients) {
      const isFull = this.#clients.size >= this.#maximum;
      if (!isFull && examined++ >= EXAMINED) return;
      this.#clients.delete(client);
      if (!isFull && usage.used(this.#slotLength, this.#now()) > 0) this.#clients.set(client, usage);
    }
  }
}
