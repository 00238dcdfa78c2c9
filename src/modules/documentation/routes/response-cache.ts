import {
  FRAMEWORK,
  Listeners,
  type Application,
  type ApplicationEvents,
  type EncodedContent,
  type EventManager,
  type MvcEvent,
  type Response,
  type ViewModel,
} from '../../../framework';
import type { ResponseFormat } from '../../content-negotiation';
import { guest } from '../../mvc-auth';
import { DocumentationRoute } from './documentation-route';

/** After every other listener of `route`: who asks, for what, and in which format is decided. */
const LAST = -10_000;

/** Before every other listener of `response`: the response has what rendering gave it, and nothing else. */
const FIRST = 10_000;

/** Sending a larger body takes so long that a cache gains nothing. */
const MAX_BODY_BYTES = 131_072;

const MAX_BYTES = 4_194_304;

const MAX_ENTRIES = 1_024;

/** What rendering a piece of documentation in a format gives. */
interface CachedResponse {
  readonly content: EncodedContent;
  readonly contentType: string;
  /** What was rendered: listeners of `response` tell pages from other formats by it. */
  readonly viewModel: ViewModel;
}

/**
 * Answers guests' requests for documentation that was rendered before by returning a Response at `route`, so that
 * nothing is dispatched or rendered. Listeners of `route` and `response` run as for every request. The cache belongs to
 * one application: a reload starts with an empty one.
 *
 * Listeners of `dispatch`, `render` and the view's events that do not come with the platform are never skipped: while
 * there are any, the cache is off.
 *
 * ```
 * #responses   content of "Atlas-v2" → JsonModel → { bytes, application/json }
 *                                      ViewModel → { bytes, text/html; charset=utf-8 }
 * ```
 */
export class ResponseCache extends Listeners<ApplicationEvents> {
  readonly #application: Pick<Application, 'events' | 'view' | 'builtIn'>;
  readonly #maxBytes: number;
  readonly #maxBodyBytes: number;
  readonly #responses = new Map<unknown, Map<ResponseFormat, CachedResponse>>();
  #bytes = 0;
  #entries = 0;
  /** The listeners that {@link #isOn} was decided for. */
  #revision = -1;
  #isEnabled = false;

  /** @param maxBytes of all bodies together; beyond them the cache starts anew */
  constructor(application: Pick<Application, 'events' | 'view' | 'builtIn'>, maxBytes = MAX_BYTES) {
    super();
    this.#application = application;
    this.#maxBytes = maxBytes;
    this.#maxBodyBytes = Math.min(MAX_BODY_BYTES, maxBytes);
  }

  /** Bytes of the bodies that are cached at present. */
  get bytes(): number {
    return this.#bytes;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach('route', (event) => this.#answer(event), LAST),
      events.attach('response', (event) => this.#keep(event), FIRST),
    ];
  }

  #answer(event: MvcEvent): Response | undefined {
    const { documentation, responseFormat } = event;
    if (documentation === undefined || responseFormat === undefined || !isForGuest(event)) return undefined;
    const cached = this.#isOn() ? this.#responses.get(documentation)?.get(responseFormat) : undefined;
    if (cached === undefined) return undefined;
    const { content, contentType, viewModel } = cached;
    const { response, endpoint } = event;
    event.viewModel = viewModel;
    if (variesByAccept(endpoint)) response.fields.addToList('Vary', 'Accept');
    response.fields.set('Content-Type', contentType);
    response.body = content.bytes;
    response.encodedContent = content;
    return response;
  }

  #keep(event: MvcEvent): void {
    const { documentation, responseFormat, response, viewModel, answered, problem } = event;
    if (documentation === undefined || responseFormat === undefined || answered || problem !== undefined)
      return;
    const { encodedContent: content, status } = response;
    const contentType = response.fields.get('Content-Type');
    if (content === undefined || contentType === undefined || viewModel === undefined || status !== 200)
      return;
    if (!isForGuest(event) || content.bytes.length > this.#maxBodyBytes || !this.#isOn()) return;
    if (this.#responses.get(documentation)?.has(responseFormat) === true) return;
    if (this.#entries >= MAX_ENTRIES || this.#bytes + content.bytes.length > this.#maxBytes) this.#clear();
    const formats = this.#responses.get(documentation) ?? new Map<ResponseFormat, CachedResponse>();
    this.#responses.set(documentation, formats.set(responseFormat, { content, contentType, viewModel }));
    this.#bytes += content.bytes.length;
    this.#entries++;
  }

  /** Whether only listeners that come with the platform would be skipped. */
  #isOn(): boolean {
    const { events, view, builtIn } = this.#application;
    const revision = events.revision + view.events.revision;
    if (this.#revision !== revision) {
      this.#revision = revision;
      // A strategy that came later may render differently.
      this.#clear();
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

  #clear(): void {
    this.#responses.clear();
    this.#bytes = 0;
    this.#entries = 0;
  }
}

/** Whether a request for documentation comes from nobody who is known. */
function isForGuest({ identity = guest, endpoint, match }: MvcEvent): boolean {
  return identity.isGuest && endpoint !== undefined && match?.route.target instanceof DocumentationRoute;
}

/** Whether the response would be another with another `Accept` field. */
function variesByAccept(endpoint: MvcEvent['endpoint']): boolean {
  return (endpoint?.negotiation?.selector.formats.length ?? 0) > 1;
}
