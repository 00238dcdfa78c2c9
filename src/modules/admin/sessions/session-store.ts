import type { MaybePromise } from '../../../framework';
import type { Message, OpenidMember, Session } from './session';

/** Session timeouts in seconds. */
export interface SessionLimits {
  /** The time without requests. */
  readonly idle: number;
  /** The lifetime. */
  readonly absolute: number;
}

/** A session, and the token that only the browser stores. */
export interface StartedSession {
  readonly token: string;
  readonly session: Session;
}

/** The sessions of administrators: in the memory of this process, or shared by the nodes of a deployment. */
export interface SessionStore {
  /**
   * Starts a session.
   * @param credentials the administrator's stored hash
   * @param openid for an administrator from the OpenID provider
   */
  start(
    user: string,
    credentials: string,
    limits: SessionLimits,
    openid?: OpenidMember,
  ): MaybePromise<StartedSession>;
  /**
   * Returns the session of a token and resets its idle timeout; undefined for an unknown or expired token.
   * @param isPassive whether to leave the idle timeout as it is
   */
  find(token: string, limits: SessionLimits, isPassive?: boolean): MaybePromise<Session | undefined>;
  /** Returns the session of a token that was found expired; undefined for sessions that were ended otherwise. */
  expired(token: string, limits: SessionLimits): MaybePromise<Session | undefined>;
  end(session: Session): MaybePromise<void>;
  /** Ends a session whose administrator has another password here, or was removed. */
  refuse(session: Session): void;
  /** Ends all sessions of an administrator. */
  endAll(user: string): MaybePromise<void>;
  /** Adds a message for the next page. */
  addMessage(session: Session, message: Message): void;
  /** Returns and removes the pending messages. */
  takeMessages(session: Session): readonly Message[];
}

/** The maximum number of pending messages of a session. */
export const MAX_MESSAGES = 10;
