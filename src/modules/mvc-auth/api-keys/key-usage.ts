import {
  isObject,
  parseJson,
  readFileIfExists,
  resolveLink,
  withLock,
  type SharedDocuments,
  errorMessage,
} from '../../../framework';

/** Milliseconds for which other nodes know a use: each node has its own uses in its file. */
const SHARED_MS = 400 * 24 * 60 * 60 * 1_000;
/** Texts that are read at once. */
const BATCH = 1_000;

/** When keys were used last: milliseconds since the epoch by identification. */
export type LastUses = ReadonlyMap<string, number>;

const INTERVAL_MS = 60_000;

/** The file with the last uses of the keys in a key file: `data/api-keys.json` → `data/api-keys.used.json`. */
export function usageFileOf(keyFile: string): string {
  return `${keyFile.replace(/\.json$/, '')}.used.json`;
}

/** Reads the last uses; none of a file that is missing or damaged, since they only inform. */
export async function readLastUses(keyFile: string): Promise<LastUses> {
  const bytes = await readFileIfExists(usageFileOf(keyFile));
  return parseLastUses(bytes);
}

/** Adds what other nodes know. Without the store, the uses stay as they are. */
export async function withSharedUses(
  documents: SharedDocuments,
  ids: readonly string[],
  own: LastUses,
): Promise<LastUses> {
  const merged = new Map(own);
  try {
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      const texts = await documents.get(batch.map((id) => sharedName(id)));
      for (const [at, id] of batch.entries()) {
        const time = Number(texts[at] ?? 0);
        if (time > (merged.get(id) ?? 0)) merged.set(id, time);
      }
    }
  } catch {
    // The store is out of reach.
  }
  return merged;
}

/** The identification of a key is public. */
function sharedName(id: string): string {
  return `key-use:${id}`;
}

function parseLastUses(bytes: Buffer | undefined): Map<string, number> {
  // A damaged file is written again with the next uses.
  const value = parseJson(bytes?.toString('utf8') ?? '');
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([id, time]) => {
      const at = typeof time === 'string' ? Date.parse(time) : NaN;
      return Number.isNaN(at) ? [] : [[id, at] as const];
    }),
  );
}

export interface KeyUsageOptions {
  /** Absolute path of the key file. */
  readonly keyFile: string;
  /** The identifications of the keys that exist: the uses of others are dropped. */
  readonly known: () => ReadonlySet<string>;
  readonly shared?: () => SharedDocuments | undefined;
  readonly warn: (message: string) => void;
  /** Milliseconds between writes; defaults to a minute. */
  readonly interval?: number;
}

/**
 * Records when keys were used last. Written at most once a minute, and at the end, to a file next to the key file: a
 * request writes nothing. Several processes merge their uses.
 */
export class KeyUsage {
  readonly #options: KeyUsageOptions;
  readonly #timer: NodeJS.Timeout;
  #pending = new Map<string, number>();
  readonly #sharedAt = new Map<string, number>();
  #hasFailed = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: KeyUsageOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), options.interval ?? INTERVAL_MS).unref();
  }

  /** @param now milliseconds since the epoch */
  used(id: string, now: number): void {
    this.#pending.set(id, now);
    const documents = this.#options.shared?.();
    if (documents !== undefined) this.#share(documents, id, now);
  }

  /** Tells other nodes, at most once a minute for each key. */
  #share(documents: SharedDocuments, id: string, now: number): void {
    if (now - (this.#sharedAt.get(id) ?? 0) < INTERVAL_MS) return;
    this.#sharedAt.set(id, now);
    // The file of this node has the use, too.
    documents.put(sharedName(id), String(now), SHARED_MS).catch(() => undefined);
  }

  /** Writes the pending uses. Never rejects. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const uses = this.#pending;
    if (uses.size === 0) return;
    this.#pending = new Map();
    const file = usageFileOf(this.#options.keyFile);
    try {
      const target = await resolveLink(file);
      await withLock(target, async (lock) => {
        const merged = parseLastUses(await readFileIfExists(target));
        for (const [id, time] of uses) merged.set(id, Math.max(time, merged.get(id) ?? 0));
        const known = this.#options.known();
        const kept = [...merged].filter(([id]) => known.has(id));
        const times = kept.map(([id, time]) => [id, new Date(time).toISOString()] as const);
        await lock.replace(Buffer.from(`${JSON.stringify(Object.fromEntries(times), null, 1)}\n`));
      });
      this.#hasFailed = false;
    } catch (error) {
      // Newer uses take precedence over those that could not be written.
      this.#pending = new Map([...uses, ...this.#pending]);
      if (!this.#hasFailed)
        this.#options.warn(`the last uses of keys cannot be written to ${file} (${errorMessage(error)})`);
      this.#hasFailed = true;
    }
  }
}
