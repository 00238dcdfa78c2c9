/** A change of the counts of a client: an amount, or 0 to forget all. */
export type CountEntry = readonly [log: string, window: number, client: string, amount: number];

/** Entries at most: beyond it, changes stay with this node. */
const MAX_ENTRIES = 10_000;
/** Characters of the entries of one message, about. */
const MAX_TEXT = 64 * 1024;

/** What has changed of a client, and is yet to be sent. */
export interface UnsentChange {
  /** Whether everything before is to be forgotten. */
  readonly isForgotten: boolean;
  /** What has been added since. */
  readonly amount: number;
}

interface Pending extends UnsentChange {
  readonly log: string;
  readonly window: number;
  readonly client: string;
  isForgotten: boolean;
  amount: number;
}

const UNCHANGED: UnsentChange = Object.freeze({ isForgotten: false, amount: 0 });

/** Changes that are yet to be sent, one entry for each client of a log. */
export class CountBatch {
  #pending = new Map<string, Pending>();

  get isEmpty(): boolean {
    return this.#pending.size === 0;
  }

  /** @param window in seconds */
  unsent(log: string, window: number, client: string): UnsentChange {
    return this.#pending.get(keyOf(log, window, client)) ?? UNCHANGED;
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

  /** Removes all entries, in parts that fit into a message. */
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
    this.#pending = new Map();
    return parts;
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
