import {
  Listeners,
  priorities,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../../framework';
import type { Sessions } from '../sessions/sessions';
import { pageView } from './page-view';
import { ROUTE_PREFIX, type PageDependencies, type PageRoutes } from './page-routes';

/** After the framework has made the page of a problem, at 1. */
const AFTER = 0;

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  // With `no-referrer`, browsers would not say where a form comes from.
  ['Referrer-Policy', 'same-origin'],
  ['X-Frame-Options', 'DENY'],
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  ],
];

/** What all answers of admin pages have in common: their fields, and the look of what went wrong. */
export class PageListener extends Listeners<ApplicationEvents> {
  readonly #parts: PageDependencies;
  readonly #routes: PageRoutes;

  constructor(parts: PageDependencies, routes: PageRoutes) {
    super();
    this.#parts = parts;
    this.#routes = routes;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach('dispatch.error', (event) => this.#dress(event), AFTER),
      events.attach('response', (event) => this.#addHeaders(event), priorities.response.fields + 1),
    ];
  }

  /** Problems that the framework would show as a page are a page of the admin. */
  async #dress(event: MvcEvent): Promise<void> {
    const { problem, viewModel } = event;
    if (!this.#isAdmin(event) || problem === undefined || viewModel?.template === undefined) return;
    const { paths, access, sessions } = this.#parts;
    const isInside = access.refusal(event.request) === undefined;
    const session = isInside ? await this.#routes.sessionOf(event) : undefined;
    const here = paths.below(event.request.path);
    const messages: ReturnType<Sessions['takeMessages']> =
      session === undefined ? [] : sessions.takeMessages(session);
    const variables = { problem: problem.toJSON(), isInside };
    event.viewModel = pageView('refused', variables, { paths, here, session, messages });
  }

  /** A page, or nothing where a page could be; the admin API looks after itself. */
  #isAdmin({ match, request: { path } }: MvcEvent): boolean {
    if (match !== undefined) return match.route.name.startsWith(ROUTE_PREFIX);
    const { paths } = this.#parts;
    return path === paths.home || (path.startsWith(`${paths.home}/`) && !path.startsWith(paths.url('/api/')));
  }

  #addHeaders(event: MvcEvent): void {
    if (!this.#isAdmin(event)) return;
    for (const [name, value] of HEADERS) event.response.fields.set(name, value);
  }
}
