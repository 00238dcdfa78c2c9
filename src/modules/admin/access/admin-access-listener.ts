import {
  Listeners,
  priorities,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../../framework';
import { ADMIN_API } from '../changes/lockout';
import { isPageRoute } from '../pages/page-routes';
import type { AdminAccess } from './admin-access';

/** The prefix of the names of routes of the admin API. */
const API_PREFIX = `${ADMIN_API}:`;

type Match = NonNullable<MvcEvent['match']>;

/** What the listener asks about requests. */
export interface RequestRules {
  /** Whether a route ignores `platform-admin.allow`. */
  readonly isOpenToAllNetworks: (route: string) => boolean;
  /** Rejects a request to the admin API from a page of another site. @throws Problem 403 */
  readonly assertNoForeignPage: (event: MvcEvent) => void;
}

/**
 * Restricts the admin pages, the admin API and its documentation by network and host name, and the API by the page that
 * sends a request, before authentication. For other APIs mapped to the administrators' adapter, the adapter applies the
 * restrictions by network and host name.
 */
export class AdminAccessListener extends Listeners<ApplicationEvents> {
  readonly #access: AdminAccess;
  readonly #rules: RequestRules;

  constructor(access: AdminAccess, rules: RequestRules) {
    super();
    this.#access = access;
    this.#rules = rules;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'route',
        (event) => this.#assertAllowed(event),
        // Before the API version is resolved, so that responses reveal nothing about it.
        priorities.route.scope + 1,
      ),
    ];
  }

  #assertAllowed(event: MvcEvent): void {
    const { match, request } = event;
    if (match === undefined || !isAdminRoute(match)) return;
    const refusal = this.#rules.isOpenToAllNetworks(match.route.name)
      ? this.#access.hostRefusal(request.host)
      : this.#access.refusal(request);
    if (refusal !== undefined) throw refusal;
    if (match.route.name.startsWith(API_PREFIX)) this.#rules.assertNoForeignPage(event);
  }
}

function isAdminRoute({ route, parameters }: Match): boolean {
  return isPageRoute(route) || isAdminApiRoute({ route, parameters });
}

/** Whether a route is of the admin API, or of its documentation. */
export function isAdminApiRoute({ route, parameters }: Match): boolean {
  return (
    route.name.startsWith(API_PREFIX) || (route.name === 'documentation' && parameters.api === ADMIN_API)
  );
}
