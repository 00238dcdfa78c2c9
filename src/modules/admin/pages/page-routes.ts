import {
  MethodTable,
  problem,
  Response,
  type Endpoint,
  type MaybePromise,
  type MvcEvent,
  type Router,
  type RouteTarget,
} from '../../../framework';
import type { Administrators } from '../accounts/administrators';
import type { AdminAccess } from '../access/admin-access';
import type { Actor } from '../changes/change';
import type { ConfigurationChanges } from '../changes/configuration-changes';
import { isValidCsrfToken, type Sessions } from '../sessions/sessions';
import { expiredCookie, readSessionCookie, type CookieScope } from '../sessions/session-cookie';
import type { Session } from '../sessions/session';
import type { AdminSettings } from '../settings';
import type { AdminPage, PageContext, PageHandler, PageResult } from './admin-page';
import { ADMIN_PATH, type AdminPaths } from './admin-paths';
import { pageView } from './page-view';
import { INTERNAL_FIELDS, Proposal } from './proposal';
import { readForm } from './read-form';
import { assertSameOrigin, isEncrypted } from './same-origin';

/** The prefix of the names of admin routes. */
export const ROUTE_PREFIX = 'admin:';

export interface PageDependencies {
  readonly router: Router<RouteTarget>;
  readonly paths: AdminPaths;
  readonly settings: AdminSettings;
  readonly access: AdminAccess;
  readonly sessions: Sessions;
  readonly administrators: Administrators;
  /** Undefined in an application without a host, which cannot be reloaded. */
  readonly changes: ConfigurationChanges | undefined;
}

/** A page that requires no sign-in. Only the origin and the size of its forms are checked. */
export interface OpenPage {
  readonly name: string;
  readonly pattern: string;
  /** Whether to ignore `platform-admin.allow`; defaults to false. */
  readonly allNetworks?: boolean;
  readonly GET?: (event: MvcEvent) => MaybePromise<PageResult>;
  readonly POST?: (event: MvcEvent, form: URLSearchParams) => MaybePromise<PageResult>;
}

/** Registers the routes of admin pages; authentication and CSRF checks run before every handler. */
export class PageRoutes {
  readonly #dependencies: PageDependencies;
  readonly #openRoutes = new Set<string>();

  constructor(dependencies: PageDependencies) {
    this.#dependencies = dependencies;
  }

  /** Adds pages for signed-in administrators. */
  add(pages: readonly AdminPage[]): void {
    for (const { name, pattern, GET, POST } of pages) {
      this.#route(name, pattern, {
        ...(GET === undefined ? {} : { GET: (event) => this.#read(event, GET) }),
        ...(POST === undefined ? {} : { POST: (event) => this.#write(event, POST) }),
      });
    }
  }

  /** Adds pages that require no sign-in. */
  addOpen(pages: readonly OpenPage[]): void {
    for (const { name, pattern, allNetworks = false, GET, POST } of pages) {
      if (allNetworks) this.#openRoutes.add(ROUTE_PREFIX + name);
      this.#route(name, pattern, {
        ...(GET === undefined ? {} : { GET }),
        ...(POST === undefined
          ? {}
          : {
              POST: async (event) => {
                assertSameOrigin(event.request, this.isSecure(event));
                return await POST(event, await readForm(event.request));
              },
            }),
      });
    }
  }

  /** Whether a route ignores `platform-admin.allow`. @param route its name */
  isOpenToAllNetworks(route: string): boolean {
    return this.#openRoutes.has(route);
  }

  /** Whether the session cookie has the `Secure` attribute. */
  isSecure(event: MvcEvent): boolean {
    return this.#dependencies.settings.secure_cookies || isEncrypted(event.request);
  }

  cookieScope(event: MvcEvent): CookieScope {
    return { path: this.#dependencies.paths.home, secure: this.isSecure(event) };
  }

  /** Returns the session of a request. Ends it if the administrator was removed or has a new password. */
  async sessionOf(event: MvcEvent): Promise<Session | undefined> {
    const { sessions, administrators, settings } = this.#dependencies;
    const token = readSessionCookie(event.request.header('cookie'));
    const session = token === undefined ? undefined : sessions.find(token, settings.session);
    if (session === undefined) return undefined;
    if ((await administrators.credentialsOf(session.user)) === session.credentials) return session;
    sessions.end(session);
    return undefined;
  }

  #route(
    name: string,
    pattern: string,
    handlers: Readonly<Record<string, (event: MvcEvent) => MaybePromise<PageResult>>>,
  ): void {
    const endpoints = Object.entries(handlers).map(([method, handler]): [string, Endpoint] => [
      method,
      Object.freeze({ name: `admin page ${name} ${method}`, handler }),
    ]);
    const path = pattern === '/' ? ADMIN_PATH : `${ADMIN_PATH}${pattern}`;
    const methods = new MethodTable(Object.fromEntries(endpoints));
    this.#dependencies.router.add(`${ROUTE_PREFIX}${name}`, path, { methods });
  }

  async #read(event: MvcEvent, handler: PageHandler): Promise<PageResult> {
    const session = await this.sessionOf(event);
    if (session === undefined) return this.#toSignIn(event, event.request.target);
    return await handler(this.#contextOf(event, session, new URLSearchParams()));
  }

  async #write(event: MvcEvent, handler: PageHandler): Promise<PageResult> {
    assertSameOrigin(event.request, this.isSecure(event));
    const session = await this.sessionOf(event);
    if (session === undefined) return this.#toSignIn(event, undefined);
    const form = await readForm(event.request);
    if (!isValidCsrfToken(session, form.get(INTERNAL_FIELDS.csrf))) throw problem('form_expired', {});
    return await handler(this.#contextOf(event, session, form));
  }

  /** @param target the page to return to after sign-in */
  #toSignIn(event: MvcEvent, target: string | undefined): Response {
    const { paths } = this.#dependencies;
    const back = target === undefined ? '/' : paths.below(target);
    const query = back === '/' ? '' : `?return=${encodeURIComponent(back)}`;
    const response = new Response(303, null, [['Location', paths.url('/sign-in') + query]]);
    // Removes the cookie of an expired session.
    if (readSessionCookie(event.request.header('cookie')) !== undefined)
      response.fields.append('Set-Cookie', expiredCookie(this.cookieScope(event)));
    return response;
  }

  #contextOf(event: MvcEvent, session: Session, form: URLSearchParams): PageContext {
    const { paths, sessions, changes } = this.#dependencies;
    const context: PageContext = {
      event,
      parameters: event.parameters,
      query: event.request.query,
      form,
      session,
      actor: actorOf(event, session),
      url: (path) => paths.url(path),
      show: (template, variables = {}, status = 200) => {
        event.response.status = status;
        const messages = sessions.takeMessages(session);
        const currentPath = paths.below(event.request.path);
        return pageView(template, variables, { paths, currentPath, session, messages });
      },
      redirect: (path, message) => {
        if (message !== undefined) sessions.addMessage(session, { text: message });
        return new Response(303, null, [['Location', paths.safe(path)]]);
      },
      propose: (change, options) => {
        if (changes === undefined) throw new TypeError('This application cannot be reloaded.');
        const notify = (text: string, undo: number): void => sessions.addMessage(session, { text, undo });
        return new Proposal(context, changes, notify, options).respond(change);
      },
    };
    return context;
  }
}

function actorOf({ request }: MvcEvent, { user }: Session): Actor {
  const origin = request.header('origin');
  return {
    name: user,
    via: 'page',
    address: request.address,
    host: request.host,
    ...(origin === undefined ? {} : { origin }),
  };
}
