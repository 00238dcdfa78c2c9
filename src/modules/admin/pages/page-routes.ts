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
import type { OpenidPages } from '../accounts/openid-pages';
import { SECOND_FACTOR_PATH } from '../accounts/second-factor/path';
import type { AdminRole } from '../accounts/roles';
import type { AdminAccess } from '../access/admin-access';
import type { AuditLog } from '../audit/audit-log';
import type { Actor } from '../changes/change';
import type { ConfigurationChanges } from '../changes/configuration-changes';
import { isValidCsrfToken } from '../sessions/sessions';
import type { SessionStore } from '../sessions/session-store';
import { expiredCookie, readSessionCookie, type CookieScope } from '../sessions/session-cookie';
import type { Drafts } from '../sessions/drafts';
import type { Reviews, SubmittedReview } from '../sessions/reviews';
import type { Session } from '../sessions/session';
import type { AdminSettings } from '../settings';
import type { AdminPage, PageContext, PageHandler, PageResult } from './admin-page';
import { ADMIN_PATH, type AdminPaths } from './admin-paths';
import { FileReviewForm } from './file-review';
import { assertRole, lacksSecondFactor, requiredRole, roleOf } from './page-roles';
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
  readonly sessions: SessionStore;
  readonly drafts: Drafts;
  readonly reviews: Reviews;
  readonly administrators: Administrators;
  /** Undefined if nobody signs in with OpenID Connect. */
  readonly openid: OpenidPages | undefined;
  /** The origin that browsers use, e.g. `https://api.example.com`; empty if it is not configured. */
  readonly publicOrigin: string;
  readonly audit: AuditLog;
  /** Undefined in an application without a host, which cannot be reloaded. */
  readonly changes: ConfigurationChanges | undefined;
}

/** The query parameter with the token of a form to show again. */
const DRAFT = 'draft';

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
    for (const page of pages) {
      const { GET, POST } = page;
      this.#route(page.name, page.pattern, {
        ...(GET === undefined ? {} : { GET: (event) => this.#read(event, page, GET) }),
        ...(POST === undefined ? {} : { POST: (event) => this.#write(event, page, POST) }),
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
                this.#assertSameOrigin(event);
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

  #assertSameOrigin(event: MvcEvent): void {
    assertSameOrigin(event.request, this.isSecure(event), this.#dependencies.publicOrigin);
  }

  cookieScope(event: MvcEvent): CookieScope {
    return { path: this.#dependencies.paths.home, secure: this.isSecure(event) };
  }

  /**
   * Returns the session of a request. Ends it if the administrator was removed, has a new password, or no role.
   * @param isPassive whether to leave the idle timeout as it is
   */
  async sessionOf(event: MvcEvent, isPassive = false): Promise<Session | undefined> {
    const { sessions, administrators, openid, settings } = this.#dependencies;
    const token = readSessionCookie(event.request.header('cookie'));
    const session = token === undefined ? undefined : await sessions.find(token, settings.session, isPassive);
    if (session === undefined) return undefined;
    if (session.openid !== undefined) {
      if (openid?.credentials === session.credentials && openid.roleOf(session) !== undefined) return session;
    } else if ((await administrators.credentialsOf(session.user)) === session.credentials) return session;
    sessions.refuse(session);
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

  async #read(event: MvcEvent, page: AdminPage, handler: PageHandler): Promise<PageResult> {
    const { edit, isPassive } = page;
    const session = await this.sessionOf(event, isPassive);
    if (session === undefined) return this.#toSignIn(event, event.request.target);
    const token = event.request.query.get(DRAFT);
    const draft =
      token === null
        ? undefined
        : await this.#dependencies.drafts.find(token, session.user, event.request.path);
    const role = await roleOf(session, this.#dependencies);
    if (await lacksSecondFactor(session, page, this.#dependencies)) return this.#toSecondFactor();
    const signedIn = { event, session, role, page };
    if (draft === undefined || edit === undefined)
      return await handler(this.#contextOf(signedIn, new URLSearchParams()));
    this.#dependencies.sessions.addMessage(session, {
      text: 'Your session had expired. What you entered is still here, except for passwords; nothing has been saved yet.',
    });
    return await edit(this.#contextOf(signedIn, draft.fields));
  }

  async #write(event: MvcEvent, page: AdminPage, handler: PageHandler): Promise<PageResult> {
    this.#assertSameOrigin(event);
    const session = await this.sessionOf(event);
    if (session === undefined) return this.#keepDraft(event, page);
    const role = await roleOf(session, this.#dependencies);
    assertRole(role, requiredRole(page));
    if (await lacksSecondFactor(session, page, this.#dependencies)) return this.#toSecondFactor();
    const form = await readForm(event.request);
    if (!isValidCsrfToken(session, form.get(INTERNAL_FIELDS.csrf))) throw problem('form_expired', {});
    const reviewed = await this.#reviewed(event, session, form);
    const context = this.#contextOf({ event, session, role, page }, reviewed?.fields ?? form, {
      canEdit: page.edit !== undefined,
      reviewed,
    });
    if (!form.has(INTERNAL_FIELDS.edit)) return await handler(context);
    return await (page.edit ?? page.GET ?? backToOverview)(context);
  }

  /** What another node has reviewed, with the fields that it was submitted with. */
  async #reviewed(
    event: MvcEvent,
    session: Session,
    form: URLSearchParams,
  ): Promise<SubmittedReview | undefined> {
    const token = form.get(INTERNAL_FIELDS.confirm);
    if (token === null || form.has(INTERNAL_FIELDS.edit)) return undefined;
    const place = { session: session.id, target: event.request.target };
    const reviewed = await this.#dependencies.reviews.takeSubmitted(token, place);
    reviewed?.fields.set(INTERNAL_FIELDS.confirm, token);
    return reviewed;
  }

  /**
   * Leads to the form again after sign-in, where its page can show it and its session has expired: nothing is read
   * from anybody else.
   */
  async #keepDraft(event: MvcEvent, { edit, GET }: AdminPage): Promise<Response> {
    const { sessions, drafts, settings } = this.#dependencies;
    const token = readSessionCookie(event.request.header('cookie'));
    const session = token === undefined ? undefined : await sessions.expired(token, settings.session);
    if (session === undefined || edit === undefined || GET === undefined)
      return this.#toSignIn(event, undefined);
    const form = await readForm(event.request);
    if (!isValidCsrfToken(session, form.get(INTERNAL_FIELDS.csrf))) return this.#toSignIn(event, undefined);
    const { path, query } = event.request;
    const back = new URLSearchParams(query);
    back.set(DRAFT, await drafts.keep(session.user, path, form));
    return this.#toSignIn(event, `${path}?${back.toString()}`);
  }

  #toSecondFactor(): Response {
    return new Response(303, null, [['Location', this.#dependencies.paths.url(SECOND_FACTOR_PATH)]]);
  }

  /** Redirects to the sign-in page. @param back the page to return to after sign-in, below the admin */
  toSignIn(back: string | null): Response {
    const query = back === null || back === '' || back === '/' ? '' : `?return=${encodeURIComponent(back)}`;
    return new Response(303, null, [['Location', this.#dependencies.paths.url('/sign-in') + query]]);
  }

  /** @param target the page to return to after sign-in */
  #toSignIn(event: MvcEvent, target: string | undefined): Response {
    const response = this.toSignIn(target === undefined ? null : this.#dependencies.paths.below(target));
    // Removes the cookie of an expired session.
    if (readSessionCookie(event.request.header('cookie')) !== undefined)
      response.fields.append('Set-Cookie', expiredCookie(this.cookieScope(event)));
    return response;
  }

  /** @param options `canEdit`: whether the page can show its form again */
  #contextOf(
    { event, session, role, page }: SignedIn,
    form: URLSearchParams,
    {
      canEdit = false,
      reviewed,
    }: { readonly canEdit?: boolean; readonly reviewed?: SubmittedReview | undefined } = {},
  ): PageContext {
    const { paths, sessions, changes, reviews } = this.#dependencies;
    const context: PageContext = {
      event,
      parameters: event.parameters,
      query: withoutDraft(event.request.query),
      form,
      session,
      actor: actorOf(event, session, role),
      role,
      url: (path) => paths.url(path),
      show: (template, variables = {}, status = 200) => {
        event.response.status = status;
        const messages = sessions.takeMessages(session);
        const currentPath = paths.below(event.request.path);
        const required = requiredRole(page);
        return pageView(template, variables, { paths, currentPath, session, role, required, messages });
      },
      redirect: (path, message) => {
        if (message !== undefined) sessions.addMessage(session, { text: message });
        return new Response(303, null, [['Location', paths.safe(path)]]);
      },
      propose: (change, options) => {
        if (changes === undefined) throw new TypeError('This application cannot be reloaded.');
        const notify = (text: string, undo: number): void => sessions.addMessage(session, { text, undo });
        return new Proposal(context, changes, notify, { ...options, canEdit }).respond(change);
      },
      review: (change, options) =>
        new FileReviewForm(context, reviews, options, { canEdit, reviewed }).respond(change),
    };
    return context;
  }
}

/** A request of an administrator for a page. */
interface SignedIn {
  readonly event: MvcEvent;
  readonly session: Session;
  readonly role: AdminRole;
  readonly page: AdminPage;
}

function withoutDraft(query: URLSearchParams): URLSearchParams {
  const own = new URLSearchParams(query);
  own.delete(DRAFT);
  return own;
}

function backToOverview({ redirect }: PageContext): Response {
  return redirect('/');
}

function actorOf({ request }: MvcEvent, { user, openid }: Session, role: AdminRole): Actor {
  const origin = request.header('origin');
  return {
    name: user,
    role,
    via: 'page',
    address: request.address,
    requestId: request.id,
    host: request.host,
    ...(origin === undefined ? {} : { origin }),
    ...(openid === undefined ? {} : { openid }),
  };
}
