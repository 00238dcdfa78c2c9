import {
  Listeners,
  priorities,
  repeatable,
  Response,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../framework';
import type { CorsPolicy } from './cors';
import { ServiceRoute } from './service-route';

/** After the operations of the address are known, and before anybody is asked who they are: preflights cannot say. */
const PREFLIGHT = priorities.route.authentication + 1;

/** Answers preflights, and tells browsers who may read an answer: of problems too. */
export class CorsListeners extends Listeners<ApplicationEvents> {
  readonly #policies: ReadonlyMap<string, CorsPolicy>;

  /** @param policies by the name of the API */
  constructor(policies: ReadonlyMap<string, CorsPolicy>) {
    super();
    this.#policies = policies;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'route',
        repeatable((event) => this.#preflight(event)),
        PREFLIGHT,
      ),
      events.attach(
        'response',
        repeatable((event) => this.#tell(event)),
        priorities.response.fields,
      ),
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
    const fields = this.#policyOf(event)?.preflight(origin, methods.allow);
    if (fields === undefined) return undefined;
    return new Response(204, null, [['Allow', methods.allow], ...fields]);
  }

  #tell(event: MvcEvent): void {
    const policy = this.#policyOf(event);
    if (policy === undefined) return;
    const { response, request } = event;
    if (policy.varies) response.fields.addToList('Vary', 'Origin');
    if (response.fields.has('Access-Control-Allow-Origin')) return;
    for (const [name, value] of policy.fields(request.header('origin'))) response.fields.set(name, value);
  }
}
