import {
  Listeners,
  priorities,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../../framework';
import { ADMIN_API } from '../changes/lockout';
import { ROUTE_PREFIX } from '../pages/page-routes';
import type { AdminAccess } from './admin-access';

/**
 * Restricts the admin pages, the admin API and its documentation by network and host name, before authentication. For
 * other APIs mapped to the administrators' adapter, the adapter applies the same restrictions.
 */
export class AdminAccessListener extends Listeners<ApplicationEvents> {
  readonly #access: AdminAccess;
  readonly #isOpenToAllNetworks: (route: string) => boolean;

  constructor(access: AdminAccess, isOpenToAllNetworks: (route: string) => boolean) {
    super();
    this.#access = access;
    this.#isOpenToAllNetworks = isOpenToAllNetworks;
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

  #assertAllowed({ match, request }: MvcEvent): void {
    if (match === undefined || !isAdminRoute(match.route.name, match.parameters)) return;
    const refusal = this.#isOpenToAllNetworks(match.route.name)
      ? this.#access.hostRefusal(request.host)
      : this.#access.refusal(request);
    if (refusal !== undefined) throw refusal;
  }
}

/** @param parameters of the route */
function isAdminRoute(route: string, parameters: Readonly<Record<string, string>>): boolean {
  return (
    route.startsWith(ROUTE_PREFIX) ||
    route.startsWith(`${ADMIN_API}:`) ||
    (route === 'documentation' && parameters.api === ADMIN_API)
  );
}
