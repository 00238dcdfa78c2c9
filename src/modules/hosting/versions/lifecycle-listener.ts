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
import { canonicalQuery } from '../rest/page-links';
import { lifecycleFields } from './lifecycle';
import { ServiceRoute } from './service-route';

/** The longest query that a link repeats: proxies limit the header fields of a response, often to 4 KB. */
const MAX_QUERY = 500;

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
    for (const [name, value] of lifecycleFields(lifecycle, this.#locationIn(lifecycle.successor, event))) {
      // Pagination also uses `Link`.
      response.fields.append(name, value);
    }
  }

  /** Returns the path of the same resource in another version, with the query if that version has its parameters. */
  #locationIn(version: number | undefined, event: MvcEvent): string | undefined {
    const { match, parameters } = event;
    if (version === undefined || match === undefined || hasDotSegment(event)) return undefined;
    const { name, target } = match.route;
    if (!(target instanceof ServiceRoute) || !target.has(version, event.request.method)) return undefined;
    const path = this.#router.assemble(name, { ...parameters, version });
    const { rawQuery } = event.request;
    if (rawQuery === '' || rawQuery.length > MAX_QUERY || !target.hasQueryOf(event, version)) return path;
    // Clients may send characters that would end the link.
    return `${path}?${canonicalQuery(rawQuery)}`;
  }
}
