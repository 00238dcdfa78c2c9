import {
  MethodTable,
  problem,
  Response,
  trailingSlash,
  type Endpoint,
  type MaybePromise,
  type MvcEvent,
  type Route,
  type RouteTarget,
} from '../../../framework';
import { includesRole } from '../accounts/roles';
import { SECOND_FACTOR_PATH } from '../accounts/second-factor/path';
import { isValidCsrfToken } from '../sessions/sessions';
import type { CookieScope } from '../sessions/session-cookie';
import type { SubmittedReview } from '../sessions/reviews';
import type { Session } from '../sessions/session';
import type { AdminPage, OpenPage, PageContext, PageHandler, PageResult } from './admin-page';
import { ADMIN_PATH } from './admin-paths';
import { pageContext } from './page-context';
import type { PageDependencies } from './page-dependencies';
import { lacksSecondFactor, requiredRole, roleOf } from './page-roles';
import { reviewPath } from './forms/review-page';
import { editedFields, editPath } from './forms/edited-review';
import { INTERNAL_FIELDS } from './forms/proposal';
import { refuseForm, showAgain, showRefused } from './forms/refused-form';
import { readForm, readPageForm } from './forms/read-form';
import { assertSameOrigin, isOfKnownOrigin } from './same-origin';
import { FormDrafts } from './sign-in/form-drafts';
import { RequestSessions } from './sign-in/request-sessions';
import { redirectToSignIn, redirectWithoutSession } from './sign-in/sign-in-redirect';

/** The prefix of the names of admin routes. */
export const ROUTE_PREFIX = 'admin:';

/** Whether a route is a page. Those of an API named `admin` have names that begin alike, but no methods of their own. */
export function isPageRoute({ name, target }: Route<RouteTarget>): boolean {
  return name.startsWith(ROUTE_PREFIX) && target.methods !== undefined;
}

/** Registers the routes of admin pages; authentication and CSRF checks run before every handler. */
export class PageRoutes {
  readonly #dependencies: PageDependencies;
  readonly #sessions: RequestSessions;
  readonly #drafts: FormDrafts;
  readonly #openRoutes = new Set<string>();

  constructor(dependencies: PageDependencies) {
    this.#dependencies = dependencies;
    this.#sessions = new RequestSessions(dependencies);
    this.#drafts = new FormDrafts(dependencies.drafts, this.#sessions);
  }

  /** Adds pages when a request needs one of them, or a conflict with others is to be found. */
  addLater(add: () => void): void {
    this.#dependencies.router.addLater({ path: ADMIN_PATH, names: ROUTE_PREFIX }, add);
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
      if (allNetworks) this.#openRoutes.add(ROUTE_PREFIX + name).add(slashRoute(name));
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
    return this.#sessions.isSecure(event);
  }

  #assertSameOrigin(event: MvcEvent): void {
    const { publicOrigin } = this.#dependencies;
    assertSameOrigin(event.request, { secure: this.isSecure(event), publicOrigin });
  }

  cookieScope(event: MvcEvent): CookieScope {
    return this.#sessions.cookieScope(event);
  }

  /**
   * Returns the session of a request. Ends it if the administrator was removed, has a new password, or no role.
   * @param isPassive whether to leave the idle timeout as it is
   */
  async sessionOf(event: MvcEvent, isPassive = false): Promise<Session | undefined> {
    return await this.#sessions.find(event, isPassive);
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
    const { router } = this.#dependencies;
    router.add(`${ROUTE_PREFIX}${name}`, path, { methods });
    if ('GET' in handlers)
      router.add(slashRoute(name), `${path}/`, trailingSlash(`admin page ${name} behind a slash`));
  }

  async #read(event: MvcEvent, page: AdminPage, handler: PageHandler): Promise<PageResult> {
    const { edit, isPassive } = page;
    const session = await this.sessionOf(event, isPassive);
    if (session === undefined) return await this.#toSignIn(event, event.request.target);
    const draft = await this.#drafts.find(event, session);
    const role = await roleOf(session, this.#dependencies);
    if (await lacksSecondFactor(session, page, this.#dependencies)) return this.#redirect(SECOND_FACTOR_PATH);
    const signedIn = { event, session, role, page };
    if (draft !== undefined && edit !== undefined)
      return await showAgain(signedIn, edit, draft.fields, this.#dependencies);
    const form = edit === undefined ? undefined : await editedFields(event, session, this.#dependencies);
    const shown = form === undefined || edit === undefined ? handler : edit;
    return await shown(pageContext(signedIn, { form: form ?? new URLSearchParams() }, this.#dependencies));
  }

  async #write(event: MvcEvent, page: AdminPage, handler: PageHandler): Promise<PageResult> {
    this.#assertSameOrigin(event);
    const session = await this.sessionOf(event);
    if (session === undefined) return await this.#toSignIn(event, await this.#drafts.keep(event, page));
    const role = await roleOf(session, this.#dependencies);
    if (!includesRole(role, requiredRole(page)))
      return await refuseForm({ event, session, role, page }, this.#dependencies);
    if (await lacksSecondFactor(session, page, this.#dependencies)) return this.#redirect(SECOND_FACTOR_PATH);
    const form = await readPageForm(event.request, page);
    if (!isValidCsrfToken(session, form.get(INTERNAL_FIELDS.csrf))) {
      // In another tab, the administrator has signed in again meanwhile.
      if (page.edit === undefined || !isOfKnownOrigin(event.request)) throw problem('form_expired', {});
      return await showRefused({ event, session, role, page }, page.edit, form, this.#dependencies);
    }
    const review = form.get(INTERNAL_FIELDS.review);
    if (review !== null && (await this.#dependencies.shownReviews.find(review, session.id)) === 'saved')
      return this.#redirect(reviewPath(review));
    const reviewed = await this.#reviewed(event, session, form);
    const context = pageContext(
      { event, session, role, page },
      { form: reviewed?.fields ?? form, canEdit: page.edit !== undefined, reviewed },
      this.#dependencies,
    );
    if (!form.has(INTERNAL_FIELDS.edit)) return await handler(context);
    const isKept = (await editedFields(event, session, this.#dependencies, review)) !== undefined;
    if (isKept && review !== null && page.edit !== undefined && page.GET !== undefined)
      return context.redirect(editPath(event, review, this.#dependencies));
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
    const review = form.get(INTERNAL_FIELDS.review);
    if (review !== null) reviewed?.fields.set(INTERNAL_FIELDS.review, review);
    return reviewed;
  }

  #redirect(path: string): Response {
    return new Response(303, null, [['Location', this.#dependencies.paths.url(path)]]);
  }

  /** Redirects to the sign-in page. @param back the page to return to after sign-in, below the admin */
  toSignIn(back: string | null): Response {
    return redirectToSignIn(this.#dependencies.paths, back);
  }

  /** @param target the page to return to after sign-in */
  async #toSignIn(event: MvcEvent, target: string | undefined): Promise<Response> {
    const { paths } = this.#dependencies;
    return await redirectWithoutSession(event, target, { paths, sessions: this.#sessions });
  }
}

/** The name of the route that redirects to a page from its path with a slash behind it. */
function slashRoute(name: string): string {
  return `${ROUTE_PREFIX}${name}/`;
}

function backToOverview({ redirect }: PageContext): Response {
  return redirect('/');
}
