import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { steadyNow } from '../../../framework';
import type { Message, OpenidMember, Session } from './session';
import { MAX_MESSAGES, type SessionLimits, type SessionStore, type StartedSession } from './session-store';

interface Entry {
  readonly session: Session;
  seenAt: number;
  messages: readonly Message[];
}

/**
 * The sessions of administrators. A token has 32 random bytes; only its hash is stored. The sessions survive reloads,
 * so that configuration changes do not sign anybody out.
 */
export class Sessions implements SessionStore {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  /** The first to expire first. */
  readonly #expired = new Map<string, Session>();
  readonly #key = randomBytes(32);
  readonly #clock: () => number;
  readonly #limit: number;

  /** @param options `limit`: the maximum number of sessions; beyond it, the least recently used one ends */
  constructor(options: { readonly clock?: () => number; readonly limit?: number } = {}) {
    this.#clock = options.clock ?? steadyNow;
    this.#limit = options.limit ?? 1000;
  }

  /** The number of stored sessions, including expired ones that have not been removed yet. */
  get size(): number {
    return this.#entries.size;
  }

  /** Starts a session. @param credentials the administrator's stored hash */
  start(user: string, credentials: string, _limits?: SessionLimits, openid?: OpenidMember): StartedSession {
    const token = randomBytes(32).toString('base64url');
    const id = idOf(token);
    const csrf = createHmac('sha256', this.#key).update(id).digest('base64url');
    const now = this.#clock();
    const session = Object.freeze({ id, user, credentials, csrf, startedAt: now, ...(openid && { openid }) });
    this.#entries.set(id, { session, seenAt: now, messages: [] });
    dropOldest(this.#entries, this.#limit);
    return { token, session };
  }

  /**
   * Returns the session of a token and resets its idle timeout; undefined for an unknown or expired token.
   * @param isPassive whether to leave the idle timeout as it is
   */
  find(token: string, { idle, absolute }: SessionLimits, isPassive = false): Session | undefined {
    const id = idOf(token);
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    const now = this.#clock();
    if (now - entry.seenAt >= idle * 1000 || now - entry.session.startedAt >= absolute * 1000) {
      this.#expired.set(id, entry.session);
      dropOldest(this.#expired, this.#limit);
      return undefined;
    }
    if (!isPassive) entry.seenAt = now;
    this.#entries.set(id, entry);
    return entry.session;
  }

  /** Returns the session of a token that was found expired; undefined for sessions that were ended otherwise. */
  expired(token: string): Session | undefined {
    return this.#expired.get(idOf(token));
  }

  end({ id }: Session): void {
    this.#entries.delete(id);
  }

  refuse(session: Session): void {
    this.end(session);
  }

  endAll(user: string): void {
    for (const [id, { session }] of this.#entries) if (session.user === user) this.#entries.delete(id);
    for (const [id, session] of this.#expired) if (session.user === user) this.#expired.delete(id);
  }

  /** Adds a message for the next page. */
  addMessage({ id }: Session, message: Message): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.messages = [...entry.messages, message].slice(-MAX_MESSAGES);
  }

  /** Returns and removes the pending messages. */
  takeMessages({ id }: Session): readonly Message[] {
    const entry = this.#entries.get(id);
    if (entry === undefined) return [];
    const { messages } = entry;
    entry.messages = [];
    return messages;
  }
}

function dropOldest(entries: Map<string, unknown>, limit: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= limit) break;
    entries.delete(oldest);
  }
}

/** Compares the CSRF token of a form with that of the session, in constant time. */
export function isValidCsrfToken(session: Session, csrf: string | null): boolean {
  const [actual, expected] = [Buffer.from(csrf ?? ''), Buffer.from(session.csrf)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** What is known of a token, which is in the browser only. */
export function idOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
