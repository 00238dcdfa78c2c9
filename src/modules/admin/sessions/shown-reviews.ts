import { randomBytes } from 'node:crypto';
import { steadyNow } from '../../../framework';
import type { AdminRole } from '../accounts/roles';
import { KeptEntries } from './kept-entries';
import { SharedForms, type SharedFormsOptions } from './shared-forms';

/** A review as its page shows it. */
export interface ShownReview {
  readonly template: string;
  /** As JSON has them. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The path of the form, below the admin. */
  readonly path: string;
  /** The role that the form requires. */
  readonly required: AdminRole;
  /** The token of the review that its form has edited again. */
  readonly edited?: string | undefined;
}

/** Reviews kept at most; beyond it, the oldest one is dropped. */
const MAX_ENTRIES = 100;
/** The maximum number of characters of a review that is kept. */
const MAX_LENGTH = 512 * 1024;
/** Milliseconds that a review is kept. */
const LIFETIME_MS = 15 * 60 * 1000;

const SAVED = 'saved';

/**
 * Keeps the reviews that submitted forms lead to, so that a browser can show them again when a user goes back. They belong
 * to the session that submitted the form. They stay in memory, and where other nodes may need them, sealed in the
 * store of the deployment.
 */
export class ShownReviews {
  readonly #entries: KeptEntries<string>;
  readonly #shared: SharedForms | undefined;

  constructor(clock: () => number = steadyNow, shared?: SharedFormsOptions) {
    this.#entries = new KeptEntries({ entries: MAX_ENTRIES, lifetime: LIFETIME_MS }, clock);
    this.#shared = shared === undefined ? undefined : new SharedForms('shown-review', shared);
  }

  /**
   * @param earlier the token of the review that led to this one, which takes its place
   * @returns the token of the review; undefined if it is too long, or the store is out of reach
   */
  async keep(
    session: string,
    review: ShownReview,
    earlier: string | null = null,
  ): Promise<string | undefined> {
    const replaced = earlier === null ? undefined : await this.#findOpen(earlier, session);
    // The form of a review does not have the token of the one that was edited again.
    const text = JSON.stringify({ ...review, edited: review.edited ?? replaced?.edited });
    if (text.length > MAX_LENGTH) return undefined;
    const token = (replaced && earlier) ?? randomBytes(32).toString('base64url');
    return (await this.#put(token, session, text)) ? token : undefined;
  }

  /** @returns `saved` once its change was saved; undefined for another session, and after its lifetime */
  async find(token: string, session: string): Promise<ShownReview | typeof SAVED | undefined> {
    const own = this.#entries.find(token, session);
    // Another node may have saved its change; this one may have done so without the store.
    const text = own === SAVED ? own : ((await this.#shared?.find(token, session)) ?? own);
    if (text === undefined || text === SAVED) return text;
    // Written by `keep`.
    return JSON.parse(text) as ShownReview;
  }

  /**
   * Forgets a review whose change was saved, except for that, and those of its form that were edited again until then.
   * @param path that of the form, unless any will do
   */
  async setSaved(token: string, session: string, path?: string): Promise<void> {
    const found = await this.find(token, session);
    if (found === undefined || found === SAVED || (path ?? found.path) !== found.path) return;
    await this.#put(token, session, SAVED);
    if (found.edited !== undefined) await this.setSaved(found.edited, session, found.path);
  }

  /** Removes the reviews of a session that has ended. Those of other nodes can no longer be opened, and expire. */
  async removeAll(session: string): Promise<void> {
    const own = this.#entries.tokensOf(session);
    for (const token of own) this.#entries.remove(token);
    await Promise.all(own.map(async (token) => this.#shared?.remove(token)));
  }

  /** Returns a review that was not saved yet; undefined for others, which nothing may replace. */
  async #findOpen(token: string, session: string): Promise<ShownReview | undefined> {
    const found = await this.find(token, session);
    return found === SAVED ? undefined : found;
  }

  /** Without the store, keeps only that a change was saved. @returns whether all nodes can find it */
  async #put(token: string, session: string, text: string): Promise<boolean> {
    const isStored = (await this.#shared?.keep(token, session, text, LIFETIME_MS)) ?? true;
    if (!isStored && text !== SAVED) return false;
    for (const dropped of this.#entries.keep(token, session, text)) void this.#shared?.remove(dropped);
    return isStored;
  }
}
