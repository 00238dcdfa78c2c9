/** A change of the counts of a client: an amount, or 0 to forget all. */
export type CountEntry = readonly [log: string, window: number, client: string, amount: number];

/** Entries at most: beyond it, changes stay with this node. */
const MAX_ENTRIES = 10_000;
/** Characters of the entries of one message, about. */
const MAX_TEXT = 64 * 1024;

/** What has changed of a client, and Redis has yet to publish. */
export interface UnpublishedChange {
  /** Whether everything before is to be forgotten. */
  readonly isForgotten: boolean;
  /** What has been added since. */
  readonly amount: number;
}

interface Pending extends UnpublishedChange {
  readonly log: string;
  readonly window: number;
  readonly client: string;
  isForgotten: boolean;
  amount: number;
}

const UNCHANGED: UnpublishedChange = Object.freeze({ isForgotten: false, amount: 0 });

/** Changes that are yet to be sent or published, one entry for each client of a log. */
export class CountBatch {
  #pending = new Map<string, Pending>();
  /** Those that were taken last, without those that are settled. */
  #sent = new Map<string, Pending>();

  /** Whether all that was taken was published, or will not be. */
  get isSettled(): boolean {
    return this.#sent.size === 0;
  }

  /** @param window in seconds */
  unpublished(log: string, window: number, client: string): UnpublishedChange {
    const key = keyOf(log, window, client);
    const [sent = UNCHANGED, pending = UNCHANGED] = [this.#sent.get(key), this.#pending.get(key)];
    if (pending.isForgotten) return pending;
    return { isForgotten: sent.isForgotten, amount: sent.amount + pending.amount };
  }

  /** @param window in seconds */
  add(log: string, window: number, client: string, amount: number): void {
    const pending = this.#of(log, window, client);
    if (pending !== undefined) pending.amount += amount;
  }

  forget(log: string, window: number, client: string): void {
    const pending = this.#of(log, window, client);
    if (pending === undefined) return;
    pending.isForgotten = true;
    pending.amount = 0;
  }

  /** Returns all entries that are yet to be sent, in parts that fit into a message. Those taken before count as settled. */
  take(): readonly (readonly CountEntry[])[] {
    const parts: CountEntry[][] = [];
    let left = 0;
    for (const { log, window, client, isForgotten, amount } of this.#pending.values()) {
      const length = log.length + client.length + 20;
      if (left < length) {
        parts.push([]);
        left = MAX_TEXT;
      }
      left -= length;
      if (isForgotten) parts.at(-1)?.push([log, window, client, 0]);
      if (amount > 0) parts.at(-1)?.push([log, window, client, amount]);
    }
    this.#sent = this.#pending;
    this.#pending = new Map();
    return parts;
  }

  /** Notes that entries were published, or will not be. */
  settle(entries: readonly CountEntry[]): void {
    for (const [log, window, client] of entries) this.#sent.delete(keyOf(log, window, client));
  }

  #of(log: string, window: number, client: string): Pending | undefined {
    const key = keyOf(log, window, client);
    const known = this.#pending.get(key);
    if (known !== undefined || this.#pending.size >= MAX_ENTRIES) return known;
    const created = { log, window, client, isForgotten: false, amount: 0 };
    this.#pending.set(key, created);
    return created;
  }
}

function keyOf(log: string, window: number, client: string): string {
  return `${log} ${window} ${client}`;
}

/** Parses a message of another node. @returns undefined for anything else */
export function parseEntries(text: string): readonly CountEntry[] | undefined {
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) && entries.every(isEntry) ? entries : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(entry: unknown): entry is CountEntry {
  if (!Array.isArray(entry) || entry.length !== 4) return false;
  const [log, window, client, amount] = entry as readonly unknown[];
  return (
    typeof log === 'string' &&
    typeof client === 'string' &&
    typeof window === 'number' &&
    window >= 1 &&
    typeof amount === 'number' &&
    amount >= 0
  );
}
