// Requests results from the server, which ranks them.
import { t } from './text.js';

/** Recent responses, so that a corrected query needs no request. */
const MAX_CACHED = 50;

/** The server cannot be reached. */
export class OfflineError extends Error {}

export class SearchClient {
  #url;
  #cache = new Map();
  #pending;

  /** @param url of the search, with the query of every request */
  constructor(url) {
    this.#url = url;
  }

  /** Lets the server build its index while the reader types. */
  prepare() {
    void fetch(this.#url, { headers: { accept: 'application/json' } }).catch(() => undefined);
  }

  /** Whether no request is necessary. */
  has(query) {
    return this.#cache.has(query);
  }

  /**
   * Returns `{ query, total, results }`; undefined if a later search replaces this one.
   * @throws OfflineError; Error with a message for the reader
   */
  async search(query) {
    this.#pending?.abort();
    const cached = this.#cache.get(query);
    if (cached !== undefined) return cached;
    const pending = new AbortController();
    this.#pending = pending;
    try {
      const found = await this.#fetch(query, pending.signal);
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      this.#cache.set(query, found);
      return pending.signal.aborted ? undefined : found;
    } catch (error) {
      if (pending.signal.aborted) return undefined;
      throw error;
    }
  }

  async #fetch(query, signal) {
    const url = new URL(this.#url);
    url.searchParams.set('q', query);
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal }).catch((error) => {
      throw new OfflineError('The server cannot be reached.', { cause: error });
    });
    if (!response.ok) throw new Error(t('search.failed', { status: String(response.status) }));
    return response.json();
  }
}
