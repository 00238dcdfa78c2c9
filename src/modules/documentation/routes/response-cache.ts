import {
  FRAMEWORK,
  Listeners,
  Problem,
  type Application,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type Response,
} from '../../../framework';
import { guest } from '../../mvc-auth';
import { isDeferred, templateOf } from './documentation-route';

/** After all other listeners of `route`: user, scope and format are known. */
const LAST = -10_000;

/**
 * Responds to guests' requests for documentation that was rendered before by returning a Response at `route`, so that
 * nothing is dispatched or rendered. Listeners of `route` and `response` run as for every request. The renderings are
 * those that the view has cached.
 *
 * Listeners of `dispatch`, `render` and the view's events that do not come with the platform are never skipped: while
 * there are any, the cache is off.
 */
export class ResponseCache extends Listeners<ApplicationEvents> {
  readonly #application: Pick<Application, 'events' | 'view' | 'builtIn'>;
  /** The listeners for which {@link #isOn} was determined. */
  #revision = -1;
  #isEnabled = false;

  constructor(application: Pick<Application, 'events' | 'view' | 'builtIn'>) {
    super();
    this.#application = application;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('route', (event) => this.#respond(event), LAST)];
  }

  #respond(event: MvcEvent): Response | undefined {
    const { documentation, responseFormat, identity = guest, response, endpoint } = event;
    if (documentation === undefined || responseFormat === undefined || !identity.isGuest) return undefined;
    const { forGuests } = documentation;
    const scope = isDeferred(forGuests) ? forGuests.computed : forGuests;
    if (scope === undefined || scope instanceof Problem || !this.#isOn()) return undefined;
    const { viewModel, mediaType } = responseFormat;
    const cached = this.#application.view.rendered({
      scope,
      viewModel,
      template: templateOf(scope),
      mediaType,
    });
    if (cached?.content === undefined || cached.contentType === undefined) return undefined;
    // Listeners of `response` distinguish pages from other formats by the view model.
    event.viewModel = cached.model;
    if (variesByAccept(endpoint)) response.fields.addToList('Vary', 'Accept');
    response.fields.set('Content-Type', cached.contentType);
    response.body = cached.content.bytes;
    response.encodedContent = cached.content;
    return response;
  }

  /** Whether only listeners of the platform would be skipped. */
  #isOn(): boolean {
    const { events, view, builtIn } = this.#application;
    const revision = events.revision + view.events.revision;
    if (this.#revision !== revision) {
      this.#revision = revision;
      const owners = [
        ...events.owners('dispatch'),
        ...events.owners('render'),
        ...view.events.owners('renderer'),
        ...view.events.owners('response'),
      ];
      this.#isEnabled = owners.every((owner) => owner === FRAMEWORK || builtIn.includes(owner));
    }
    return this.#isEnabled;
  }
}

/** Whether the response depends on `Accept`. */
function variesByAccept(endpoint: MvcEvent['endpoint']): boolean {
  return (endpoint?.negotiation?.selector.formats.length ?? 0) > 1;
}
