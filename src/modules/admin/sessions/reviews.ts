import { randomBytes } from 'node:crypto';
import { steadyNow } from '../../../framework';
import type { FileChange } from '../changes/file-change';
import { KeptEntries } from './kept-entries';
import { SharedForms, UNAVAILABLE, type SharedFormsOptions } from './shared-forms';

/** A reviewed change that is yet to be confirmed. */
interface Review {
  readonly change: FileChange;
  /** The tag of the review. */
  readonly tag: string;
  /** The submitted fields, with passwords. */
  readonly fields: URLSearchParams;
}

/** A review of another node, from which the change is made again. */
export type SubmittedReview = Pick<Review, 'tag' | 'fields'>;

/** Where a review is confirmed. */
interface Place {
  readonly session: string;
  readonly target: string;
}

/** Changes kept at most; beyond it, the oldest one is dropped. */
const MAX_ENTRIES = 100;
/** Milliseconds that a change is kept. */
const LIFETIME_MS = 15 * 60 * 1000;

/**
 * Keeps reviewed changes of password files until they are confirmed, so that no page contains a password or a hash.
 * They stay in memory, and are confirmed by the session and the page that they were submitted to, once. Where another
 * node may be asked to confirm them, it finds the submitted fields, sealed.
 */
export class Reviews {
  readonly #entries: KeptEntries<Review>;
  /** The places of changes that were taken, by their tokens, the oldest first. */
  readonly #taken = new Map<string, string>();
  readonly #shared: SharedForms | undefined;

  constructor(clock: () => number = steadyNow, shared?: SharedFormsOptions) {
    this.#entries = new KeptEntries({ entries: MAX_ENTRIES, lifetime: LIFETIME_MS }, clock);
    this.#shared = shared === undefined ? undefined : new SharedForms('review', shared);
  }

  /** @returns the token of the change */
  async keep(place: Place, review: Review): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    this.#entries.keep(token, JSON.stringify(place), review);
    const text = JSON.stringify([review.tag, review.fields.toString()]);
    await this.#shared?.keep(token, JSON.stringify(place), text, LIFETIME_MS);
    return token;
  }

  /** Removes a change and returns it; undefined for another session or page, or after its lifetime. */
  async take(token: string, place: Place): Promise<Review | undefined> {
    const own = this.#entries.find(token, JSON.stringify(place));
    if (own === undefined) return undefined;
    this.#entries.remove(token);
    // Another node may have confirmed it.
    const isElsewhere =
      this.#shared !== undefined && (await this.#shared.take(token, JSON.stringify(place))) === undefined;
    this.#rememberTaken(token, place);
    return isElsewhere ? undefined : own;
  }

  /** Whether a change may have been taken before: its form was submitted twice, maybe to another node. */
  mayBeTaken(token: string, place: Place): boolean {
    return this.#shared !== undefined || this.#taken.get(token) === JSON.stringify(place);
  }

  /** Removes a change that another node has reviewed, and returns it. */
  async takeSubmitted(token: string, place: Place): Promise<SubmittedReview | undefined> {
    if (this.#shared === undefined || this.#entries.has(token)) return undefined;
    const taken = await this.#shared.take(token, JSON.stringify(place));
    if (taken === undefined || taken === UNAVAILABLE) return undefined;
    this.#rememberTaken(token, place);
    // Written by `keep`.
    const [tag, fields] = JSON.parse(taken) as readonly [string, string];
    return { tag, fields: new URLSearchParams(fields) };
  }

  #rememberTaken(token: string, place: Place): void {
    this.#taken.set(token, JSON.stringify(place));
    if (this.#taken.size > MAX_ENTRIES) this.#taken.delete([...this.#taken.keys()][0] ?? '');
  }
}
