import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Message, Session } from './session';

/** How long sessions may last, in seconds. */
export interface SessionLimits {
  /** Without a request. */
  readonly idle: number;
  /** In all. */
  readonly absolute: number;
}

interface Entry {
  readonly session: Session;
  seenAt: number;
  messages: readonly Message[];
}

/** Messages that wait for their page. */
const MAX_MESSAGES = 10;

/**
 * The administrators who are signed in. A session is known by 32 random bytes that only the browser has; kept is
 * their hash. It outlives applications, so that a change of configuration signs nobody out.
 */
export class Sessions {
  /** In the order in which they were last used. */
  readonly #entries = new Map<string, Entry>();
  readonly #key = randomBytes(32);
  readonly #clock: () => number;
  readonly #limit: number;

  /** @param options `limit`: sessions at a time, the one that was not used for longest gives way */
  constructor(options: { readonly clock?: () => number; readonly limit?: number } = {}) {
    this.#clock = options.clock ?? Date.now;
    this.#limit = options.limit ?? 1000;
  }

  /** How many are kept, ended ones among them that nobody has asked for since. */
  get size(): number {
    return this.#entries.size;
  }

  /** Begins a session. @param credentials the administrator's stored hash */
  start(user: string, credentials: string): { readonly token: string; readonly session: Session } {
    const token = randomBytes(32).toString('base64url');
    const id = idOf(token);
    const csrf = createHmac('sha256', this.#key).update(id).digest('base64url');
    const now = this.#clock();
    const session = Object.freeze({ id, user, credentials, csrf, startedAt: now });
    this.#entries.set(id, { session, seenAt: now, messages: [] });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break;
      this.#entries.delete(oldest);
    }
    return { token, session };
  }

  /** The session of a token, which counts as used now; undefined for one that has ended or never was. */
  find(token: string, { idle, absolute }: SessionLimits): Session | undefined {
    const id = idOf(token);
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    const now = this.#clock();
    if (now - entry.seenAt >= idle * 1000 || now - entry.session.startedAt >= absolute * 1000)
      return undefined;
    entry.seenAt = now;
    this.#entries.set(id, entry);
    return entry.session;
  }

  end({ id }: Session): void {
    this.#entries.delete(id);
  }

  /** Ends every session of an administrator. @param except the one that goes on */
  endOf(user: string, except?: Session): void {
    for (const [id, { session }] of this.#entries)
      if (session.user === user && id !== except?.id) this.#entries.delete(id);
  }

  /** Has something said on the next page. */
  tell({ id }: Session, message: Message): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.messages = [...entry.messages, message].slice(-MAX_MESSAGES);
  }

  /** What is to be said now; it is said once. */
  takeMessages({ id }: Session): readonly Message[] {
    const entry = this.#entries.get(id);
    if (entry === undefined) return [];
    const { messages } = entry;
    entry.messages = [];
    return messages;
  }
}

/** Whether a form carries the session's token. */
export function isFormOf(session: Session, csrf: string | null): boolean {
  const [given, wanted] = [Buffer.from(csrf ?? ''), Buffer.from(session.csrf)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function idOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
