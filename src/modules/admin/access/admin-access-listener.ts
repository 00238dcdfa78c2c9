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
 * Before anyone signs in: the pages of the admin, its API and the documentation of that answer only where
 * administrators may use the service. What else their adapter guards, the adapter restricts itself.
 */
export class AdminAccessListener extends Listeners<ApplicationEvents> {
  readonly #access: AdminAccess;
  readonly #isOpen: (route: string) => boolean;

  /** @param isOpen whether a route answers every network */
  constructor(access: AdminAccess, isOpen: (route: string) => boolean) {
    super();
    this.#access = access;
    this.#isOpen = isOpen;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'route',
        (event) => this.#assertAllowed(event),
        // Before what is asked for is looked up, so that nothing of it is told.
        priorities.route.scope + 1,
      ),
    ];
  }

  #assertAllowed({ match, request }: MvcEvent): void {
    if (match === undefined || !isOfAdmin(match.route.name, match.parameters)) return;
    const refusal = this.#isOpen(match.route.name)
      ? this.#access.hostRefusal(request.host)
      : this.#access.refusal(request);
    if (refusal !== undefined) throw refusal;
  }
}

/** @param parameters of the route */
function isOfAdmin(route: string, parameters: Readonly<Record<string, string>>): boolean {
  return (
    route.startsWith(ROUTE_PREFIX) ||
    route.startsWith(`${ADMIN_API}:`) ||
    (route === 'documentation' && parameters.api === ADMIN_API)
  );
}
