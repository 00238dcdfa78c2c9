import { randomBytes } from 'node:crypto';
import { steadyNow } from '../../../framework';
import type { FileChange } from '../changes/file-change';

/** A reviewed change that is yet to be confirmed. */
interface Review {
  readonly change: FileChange;
  /** The tag of the review. */
  readonly tag: string;
}

/** Changes kept at most; beyond it, the oldest one is dropped. */
const MAX_ENTRIES = 100;
/** Milliseconds that a change is kept. */
const LIFETIME_MS = 15 * 60 * 1000;

/**
 * Keeps reviewed changes of password files until they are confirmed, so that no page contains a password or a hash.
 * They stay in memory, and are confirmed by the session and the page that they were submitted to, once.
 */
export class Reviews {
  /** The oldest first. */
  readonly #entries = new Map<string, Review & { readonly place: string; readonly keptAt: number }>();
  readonly #clock: () => number;

  constructor(clock: () => number = steadyNow) {
    this.#clock = clock;
  }

  /** @returns the token of the change */
  keep(place: { readonly session: string; readonly target: string }, review: Review): string {
    const token = randomBytes(32).toString('base64url');
    const now = this.#clock();
    this.#entries.set(token, { ...review, place: JSON.stringify(place), keptAt: now });
    for (const [oldest, { keptAt }] of this.#entries) {
      if (this.#entries.size <= MAX_ENTRIES && now - keptAt < LIFETIME_MS) break;
      this.#entries.delete(oldest);
    }
    return token;
  }

  /** Removes a change and returns it; undefined for another session or page, or after its lifetime. */
  take(token: string, place: { readonly session: string; readonly target: string }): Review | undefined {
    const found = this.#entries.get(token);
    if (found?.place !== JSON.stringify(place)) return undefined;
    this.#entries.delete(token);
    return this.#clock() - found.keptAt < LIFETIME_MS ? found : undefined;
  }
}
