import {
  Listeners,
  priorities,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type Router,
  type RouteTarget,
} from '../../../framework';
import { hasDotSegment } from '../rest/identifier';
import { lifecycleFields } from './lifecycle';
import { ServiceRoute } from './service-route';

/** Adds the deprecation headers of the requested version to all responses, including errors. */
export class LifecycleListener extends Listeners<ApplicationEvents> {
  readonly #router: Router<RouteTarget>;

  constructor(router: Router<RouteTarget>) {
    super();
    this.#router = router;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('response', (event) => this.#addHeaders(event), priorities.response.fields)];
  }

  #addHeaders(event: MvcEvent): void {
    const { lifecycle, response } = event;
    if (lifecycle === undefined) return;
    for (const [name, value] of lifecycleFields(lifecycle, this.#pathIn(lifecycle.successor, event))) {
      // Pagination also uses `Link`.
      response.fields.append(name, value);
    }
  }

  /** Returns the path of the same resource in another version. */
  #pathIn(version: number | undefined, event: MvcEvent): string | undefined {
    const { match, parameters } = event;
    if (version === undefined || match === undefined || hasDotSegment(event)) return undefined;
    const { name, target } = match.route;
    if (!(target instanceof ServiceRoute) || !target.has(version)) return undefined;
    return this.#router.assemble(name, { ...parameters, version });
  }
}
