import { randomBytes } from 'node:crypto';
import { Sealer, type Deployment, type Log, type SharedDocuments } from '../../../framework';
import { PendingEnds } from './pending-ends';
import type { Message, OpenidMember, Session } from './session';
import { MAX_MESSAGES, type SessionLimits, type SessionStore, type StartedSession } from './session-store';
import { idOf } from './sessions';

/**
 * Milliseconds for which a node continues the sessions that it knows while the store is out of reach: long enough to
 * look at what is wrong, short enough for a session that was ended elsewhere meanwhile.
 */
export const OUTAGE_MS = 5 * 60 * 1_000;
/** Milliseconds for which an expired session is known, so that a form that was submitted with it is kept. */
const KEPT_MS = 30 * 60 * 1_000;
/** Milliseconds after which a request is noted: more often says nothing about an idle timeout. */
const SEEN_MS = 1_000;
/** Sessions that a node remembers. */
const MAX_KNOWN = 1_000;

/** A session as it is stored, sealed. */
interface StoredSession {
  readonly session: Session;
  /** Of the administrator when the session started: a higher one ends it. */
  readonly epoch: number;
  /** Milliseconds since the epoch, by the clock of the deployment. */
  readonly seenAt: number;
}

/** A session as this node knows it. */
interface KnownSession {
  stored: StoredSession;
  messages: readonly Message[];
  confirmedAt: number;
  /** In which it was stored: what another one lacks was lost, not ended. */
  readonly generation: string;
}

/**
 * The sessions of administrators, in a store that all nodes ask for each request: one that was started or ended
 * anywhere is so everywhere, at once. The store has the hash of the token, and the session sealed with a key of the
 * deployment. Each administrator has an epoch, which ends all their sessions when it is raised.
 */
export class SharedSessions implements SessionStore {
  readonly #deployment: Deployment;
  readonly #documents: SharedDocuments;
  readonly #sealer: Sealer;
  readonly #known = new Map<string, KnownSession>();
  /** By the object that a request got. */
  readonly #used = new WeakMap<Session, KnownSession>();
  readonly #ends: PendingEnds;

  constructor(deployment: Deployment, documents: SharedDocuments, log: Log) {
    this.#deployment = deployment;
    this.#documents = documents;
    this.#sealer = new Sealer(deployment.keys.derive('admin sessions'));
    this.#ends = new PendingEnds(documents, log);
  }

  /** Without the store the session is known to this node alone, and ends when the store is back. */
  async start(
    user: string,
    credentials: string,
    { idle, absolute }: SessionLimits,
    openid?: OpenidMember,
  ): Promise<StartedSession> {
    const token = randomBytes(32).toString('base64url');
    const now = this.#deployment.state.now();
    const csrf = randomBytes(32).toString('base64url');
    const session = Object.freeze({
      id: idOf(token),
      user,
      credentials,
      csrf,
      startedAt: now,
      ...(openid && { openid }),
    });
    let epoch = 0;
    try {
      epoch = await this.#epochOf(user);
      const name = nameOf(session.id);
      const lifetime = Math.min(idle, absolute) * 1_000 + KEPT_MS;
      await this.#documents.put(name, this.#seal({ session, epoch, seenAt: now }), lifetime);
    } catch {
      // The store is out of reach.
    }
    this.#remember({ session, epoch, seenAt: now }, []);
    return { token, session };
  }

  async find(token: string, limits: SessionLimits, isPassive = false): Promise<Session | undefined> {
    const id = idOf(token);
    if (this.#ends.hasEnded(id)) return undefined;
    try {
      return await this.#findStored(id, limits, isPassive);
    } catch {
      return this.#findKnown(id, limits, isPassive);
    }
  }

  async expired(token: string, limits: SessionLimits): Promise<Session | undefined> {
    const id = idOf(token);
    if (this.#ends.hasEnded(id)) return undefined;
    try {
      const { stored } = await this.#read(id);
      if (stored !== undefined) return this.#isOver(stored, limits) ? stored.session : undefined;
      // Lost with the store: a node that knew it keeps what was typed.
      const known = this.#known.get(id);
      return known !== undefined && known.generation !== this.#deployment.state.generation
        ? known.stored.session
        : undefined;
    } catch {
      const known = this.#known.get(id);
      return known !== undefined && this.#isOver(known.stored, limits) ? known.stored.session : undefined;
    }
  }

  async end({ id }: Session): Promise<void> {
    this.#known.delete(id);
    await this.#ends.session(id, [nameOf(id), messagesOf(id)]);
  }

  /** The administrators of other nodes may be newer than those of this one: they decide for themselves. */
  refuse({ id }: Session): void {
    this.#known.delete(id);
  }

  async endAll(user: string): Promise<void> {
    for (const [id, { stored }] of this.#known) if (stored.session.user === user) this.#known.delete(id);
    await this.#ends.user(epochName(user));
  }

  addMessage(session: Session, message: Message): void {
    const known = this.#used.get(session);
    if (known === undefined) return;
    known.messages = [...known.messages, message].slice(-MAX_MESSAGES);
    const name = messagesOf(session.id);
    const sealed = this.#sealer.seal(JSON.stringify(known.messages), name);
    this.#documents.put(name, sealed, KEPT_MS).catch(() => undefined);
  }

  takeMessages(session: Session): readonly Message[] {
    const known = this.#used.get(session);
    if (known === undefined || known.messages.length === 0) return [];
    const { messages } = known;
    known.messages = [];
    this.#documents.remove(messagesOf(session.id)).catch(() => undefined);
    return messages;
  }

  /** @throws DeploymentUnavailable */
  async #findStored(id: string, limits: SessionLimits, isPassive: boolean): Promise<Session | undefined> {
    const { stored, messages } = await this.#read(id);
    if (stored === undefined) {
      const known = this.#known.get(id);
      if (known?.generation === this.#deployment.state.generation) this.#known.delete(id);
      return undefined;
    }
    if (this.#isOver(stored, limits)) return undefined;
    const now = this.#deployment.state.now();
    if (isPassive || now - stored.seenAt < SEEN_MS) return this.#remember(stored, messages);
    const seen = { ...stored, seenAt: now };
    const left = Math.min(limits.idle * 1_000, stored.session.startedAt + limits.absolute * 1_000 - now);
    // Never again what was ended meanwhile.
    if (!(await this.#documents.put(nameOf(id), this.#seal(seen), left + KEPT_MS, 'existing')))
      return undefined;
    return this.#remember(seen, messages);
  }

  /** While the store is out of reach. */
  #findKnown(id: string, limits: SessionLimits, isPassive: boolean): Session | undefined {
    const known = this.#known.get(id);
    if (known === undefined || this.#isOver(known.stored, limits)) return undefined;
    const now = this.#deployment.state.now();
    if (now - known.confirmedAt >= OUTAGE_MS) return undefined;
    if (!isPassive) known.stored = { ...known.stored, seenAt: now };
    return known.stored.session;
  }

  /** Reads the epoch last: a session that is current then was not ended before. @throws DeploymentUnavailable */
  async #read(
    id: string,
  ): Promise<{ readonly stored: StoredSession | undefined; readonly messages: readonly Message[] }> {
    const [sealed, sealedMessages] = await this.#documents.get([nameOf(id), messagesOf(id)]);
    const stored = this.#open(sealed, nameOf(id)) as StoredSession | undefined;
    const messages = (this.#open(sealedMessages, messagesOf(id)) ?? []) as readonly Message[];
    if (stored === undefined) return { stored, messages };
    const isCurrent = (await this.#epochOf(stored.session.user)) === stored.epoch;
    return { stored: isCurrent ? stored : undefined, messages };
  }

  async #epochOf(user: string): Promise<number> {
    const [epoch] = await this.#documents.get([epochName(user)]);
    return Number(epoch ?? 0);
  }

  #isOver({ session, seenAt }: StoredSession, { idle, absolute }: SessionLimits): boolean {
    const now = this.#deployment.state.now();
    return now - seenAt >= idle * 1_000 || now - session.startedAt >= absolute * 1_000;
  }

  #remember(stored: StoredSession, messages: readonly Message[]): Session {
    const { id } = stored.session;
    const { generation } = this.#deployment.state;
    const known = { stored, messages, confirmedAt: this.#deployment.state.now(), generation };
    this.#known.delete(id);
    this.#known.set(id, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
    this.#used.set(stored.session, known);
    return stored.session;
  }

  #seal(stored: StoredSession): string {
    return this.#sealer.seal(JSON.stringify(stored), nameOf(stored.session.id));
  }

  /** What opens was sealed by a node of the deployment, for this name. */
  #open(sealed: string | undefined, name: string): unknown {
    const text = sealed === undefined ? undefined : this.#sealer.open(sealed, name);
    return text === undefined ? undefined : JSON.parse(text);
  }
}

function nameOf(id: string): string {
  return `session:${id}`;
}

function messagesOf(id: string): string {
  return `messages:${id}`;
}

function epochName(user: string): string {
  return `epoch:${user}`;
}
