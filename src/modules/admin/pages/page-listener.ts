import {
  hasPathPrefix,
  Listeners,
  priorities,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../../framework';
import { PAGE_HEADERS } from '../../openid';
import type { SessionStore } from '../sessions/session-store';
import type { PageDependencies } from './page-dependencies';
import { isPageRoute, type PageRoutes } from './page-routes';
import { pageView } from './page-view';

/** After the framework's listener at 1, which creates the error page. */
const AFTER_ERROR_PAGE = 0;

/** Adds security headers to admin pages, and renders their problems in the admin layout. */
export class PageListener extends Listeners<ApplicationEvents> {
  readonly #dependencies: PageDependencies;
  readonly #routes: PageRoutes;

  constructor(dependencies: PageDependencies, routes: PageRoutes) {
    super();
    this.#dependencies = dependencies;
    this.#routes = routes;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach('dispatch.error', (event) => this.#renderProblem(event), AFTER_ERROR_PAGE),
      events.attach('response', (event) => this.#addHeaders(event), priorities.response.fields + 1),
    ];
  }

  /** Replaces the framework's error page. */
  async #renderProblem(event: MvcEvent): Promise<void> {
    const { problem, viewModel } = event;
    if (!this.#isPageRequest(event) || problem === undefined || viewModel?.template === undefined) return;
    const { paths, access, sessions } = this.#dependencies;
    const isInside = access.refusal(event.request) === undefined;
    const session = isInside ? await this.#routes.sessionOf(event) : undefined;
    const currentPath = paths.below(event.request.path);
    const messages: ReturnType<SessionStore['takeMessages']> =
      session === undefined ? [] : sessions.takeMessages(session);
    const variables = { problem: problem.toJSON(), isInside };
    event.viewModel = pageView('refused', variables, { paths, currentPath, session, messages });
  }

  /** Whether a request is for an admin page, existing or not; excludes the admin API. */
  #isPageRequest({ match, request: { path } }: MvcEvent): boolean {
    if (match !== undefined) return isPageRoute(match.route);
    const { paths } = this.#dependencies;
    return hasPathPrefix(path, paths.home) && !path.startsWith(paths.url('/api/'));
  }

  #addHeaders(event: MvcEvent): void {
    if (!this.#isPageRequest(event)) return;
    for (const [name, value] of PAGE_HEADERS) event.response.fields.set(name, value);
  }
}
