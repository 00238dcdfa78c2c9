import {
  Listeners,
  priorities,
  repeatable,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type Router,
  type RouteTarget,
} from '../../framework';
import { lifecycleFields } from './lifecycle';
import { ServiceRoute } from './service-route';

/** At `response`, tells clients of a version that is deprecated, or will be gone: every answer does, errors too. */
export class LifecycleListener extends Listeners<ApplicationEvents> {
  readonly #router: Router<RouteTarget>;

  constructor(router: Router<RouteTarget>) {
    super();
    this.#router = router;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'response',
        repeatable((event) => this.#tell(event)),
        priorities.response.fields,
      ),
    ];
  }

  #tell(event: MvcEvent): void {
    const { lifecycle, response } = event;
    if (lifecycle === undefined) return;
    for (const [name, value] of lifecycleFields(lifecycle, this.#placeIn(lifecycle.successor, event))) {
      // Pages are linked by `Link` as well.
      response.fields.append(name, value);
    }
  }

  /** The same place in another version. */
  #placeIn(version: number | undefined, { match, parameters }: MvcEvent): string | undefined {
    if (version === undefined || match === undefined) return undefined;
    const { name, target } = match.route;
    if (!(target instanceof ServiceRoute) || !target.has(version)) return undefined;
    return this.#router.assemble(name, { ...parameters, version });
  }
}
