import type { MaybePromise, MvcEvent } from '../../../../framework';
import { readSessionCookies, type CookieScope } from '../../sessions/session-cookie';
import type { Session } from '../../sessions/session';
import type { PageDependencies } from '../page-dependencies';
import { isEncrypted } from '../same-origin';

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
  find(event: MvcEvent, isPassive: boolean): Promise<Session | undefined> {
    return onlyOne(event, (token) => this.#find(token, isPassive));
  }

  /** Returns the session of a request if it has expired; undefined for a valid one, or if it is no longer known. */
  findExpired(event: MvcEvent): Promise<Session | undefined> {
    const { sessions, settings } = this.#dependencies;
    return onlyOne(event, (token) => sessions.expired(token, settings.session));
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

/** Returns what is found for the tokens of a request; undefined for several sessions: one may be that of an attacker. */
async function onlyOne(
  { request }: MvcEvent,
  find: (token: string) => MaybePromise<Session | undefined>,
): Promise<Session | undefined> {
  let only: Session | undefined;
  for (const token of readSessionCookies(request.header('cookie'))) {
    const session = await find(token);
    if (session !== undefined && only !== undefined) return undefined;
    only ??= session;
  }
  return only;
}
