import {
  Listeners,
  priorities,
  problem,
  repeatable,
  type ApplicationEvents,
  type EventManager,
} from '../../../framework';
import type { Networks } from '../accounts/networks';
import { ADMIN_API } from '../changes/lockout';

/** Before anyone signs in: the admin API answers to the networks of `platform-admin.allow` only. */
export class AdminNetworkListener extends Listeners<ApplicationEvents> {
  readonly #networks: Networks;

  constructor(networks: Networks) {
    super();
    this.#networks = networks;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'route',
        repeatable(({ match, request }) => {
          const isAdmin = match?.route.name.startsWith(`${ADMIN_API}:`) === true;
          if (isAdmin && !this.#networks.has(request.address)) throw problem('outside_networks', {});
        }),
        priorities.route.scope - 1,
      ),
    ];
  }
}
