import type { MvcEvent } from '../../../../framework';
import { readSessionCookies, type CookieScope } from '../../sessions/session-cookie';
import type { Session } from '../../sessions/session';
import type { PageDependencies } from '../page-dependencies';
import { isEncrypted } from '../same-origin';

interface FoundSession {
  readonly session: Session;
  readonly isExpired: boolean;
}

/** Finds the sessions of requests by their session cookies. */
export class RequestSessions {
  readonly #dependencies: PageDependencies;

  constructor(dependencies: PageDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether the session cookie has the `Secure` attribute. */
  isSecure(event: MvcEvent): boolean {
    return this.#dependencies.settings.secure_cookies || isEncrypted(event.request);
  }

  cookieScope(event: MvcEvent): CookieScope {
    return { path: this.#dependencies.paths.home, secure: this.isSecure(event) };
  }

  /**
   * Returns the session of a request. Ends it if the administrator was removed, has a new password, or no role.
   * @param isPassive whether to leave the idle timeout as it is
   */
  async find(event: MvcEvent, isPassive: boolean): Promise<Session | undefined> {
    const only = await this.#only(event, isPassive);
    return only?.isExpired === false ? only.session : undefined;
  }

  /** Returns the session of a request if it has expired; undefined for a valid one, or if it is no longer known. */
  async findExpired(event: MvcEvent): Promise<Session | undefined> {
    const only = await this.#only(event, true);
    return only?.isExpired === true ? only.session : undefined;
  }

  /**
   * Returns the session of the tokens of a request; undefined for several: one may be that of an attacker. An expired one
   * counts, as it may be that of the administrator, who would not notice to act in the other one.
   */
  async #only({ request }: MvcEvent, isPassive: boolean): Promise<FoundSession | undefined> {
    const { sessions, settings } = this.#dependencies;
    let only: FoundSession | undefined;
    for (const token of readSessionCookies(request.header('cookie'))) {
      const valid = await this.#find(token, isPassive);
      const session = valid ?? (await sessions.expired(token, settings.session));
      if (session === undefined) continue;
      if (only !== undefined) return undefined;
      only = { session, isExpired: valid === undefined };
    }
    return only;
  }

  async #find(token: string, isPassive: boolean): Promise<Session | undefined> {
    const { sessions, administrators, openid, settings } = this.#dependencies;
    const session = await sessions.find(token, settings.session, isPassive);
    if (session === undefined) return undefined;
    if (session.openid !== undefined) {
      if (openid?.credentials === session.credentials && openid.roleOf(session) !== undefined) return session;
    } else if ((await administrators.credentialsOf(session.user)) === session.credentials) return session;
    sessions.refuse(session);
    return undefined;
  }
}
