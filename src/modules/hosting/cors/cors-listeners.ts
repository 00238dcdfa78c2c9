import {
  Listeners,
  priorities,
  Response,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../../framework';
import type { CorsPolicy } from './cors';
import { ServiceRoute } from '../versions/service-route';

/** After the methods of the path are known, and before authentication: preflights carry no credentials. */
const PREFLIGHT = priorities.route.authentication + 1;

/** Answers CORS preflights, and adds CORS headers to all responses, including errors. */
export class CorsListeners extends Listeners<ApplicationEvents> {
  readonly #policies: ReadonlyMap<string, CorsPolicy>;

  /** @param policies by the name of the API */
  constructor(policies: ReadonlyMap<string, CorsPolicy>) {
    super();
    this.#policies = policies;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach('route', (event) => this.#preflight(event), PREFLIGHT),
      events.attach('response', (event) => this.#addHeaders(event), priorities.response.fields),
    ];
  }

  #policyOf({ match }: MvcEvent): CorsPolicy | undefined {
    const target = match?.route.target;
    return target instanceof ServiceRoute ? this.#policies.get(target.api) : undefined;
  }

  #preflight(event: MvcEvent): Response | undefined {
    const { request, methods } = event;
    if (request.method !== 'OPTIONS' || methods === undefined) return undefined;
    const origin = request.header('origin');
    if (origin === undefined || request.header('access-control-request-method') === undefined)
      return undefined;
    const fields = this.#policyOf(event)?.preflight(origin, methods.allow, event.guard?.locations?.headers);
    if (fields === undefined) return undefined;
    return new Response(204, null, [...methods.optionFields, ...fields]);
  }

  #addHeaders(event: MvcEvent): void {
    const policy = this.#policyOf(event);
    if (policy === undefined) return;
    const { response, request } = event;
    if (policy.varies) response.fields.addToList('Vary', 'Origin');
    if (response.fields.has('Access-Control-Allow-Origin')) return;
    for (const [name, value] of policy.fields(request.header('origin'))) response.fields.set(name, value);
  }
}
