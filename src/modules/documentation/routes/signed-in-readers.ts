import {
  joinTarget,
  Listeners,
  Negotiator,
  priorities,
  ViewModel,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../../framework';
import { guest } from '../../mvc-auth';
import type { OpenidSignIn } from '../../openid';
import { ERROR_TEMPLATE } from '../pages/page-fields';
import { DocumentationRoute } from './documentation-route';
import { ReadersRoute } from './readers-route';

/** Before the documentation adds its own fields. */
const FIELDS = priorities.response.fields - 1;

/** After the framework has created the error page. */
const AFTER = -1;

const HTML = 'text/html';
const PROBLEM_TYPES = new Negotiator(['application/problem+json', 'application/json', HTML]);

/**
 * Identifies readers who have signed in with OpenID Connect, for GET and HEAD of documentation only: every other
 * request ignores their cookie, so that no site can act with it. Credentials of an adapter take precedence.
 */
export class SignedInReaders extends Listeners<ApplicationEvents> {
  readonly #signIn: OpenidSignIn;

  constructor(signIn: OpenidSignIn) {
    super();
    this.#signIn = signIn;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach('route', (event) => this.#identify(event), priorities.route.authentication - 1),
      events.attach('dispatch.error', (event) => this.#offerSignIn(event), AFTER),
      events.attach('response', addFields, FIELDS),
    ];
  }

  #identify(event: MvcEvent): void {
    if (!isDocumentation(event) || event.identity?.isGuest === false) return;
    const { method } = event.request;
    if (method !== 'GET' && method !== 'HEAD') return;
    const reader = this.#signIn.readerOf(event);
    if (reader === undefined) return;
    event.identity = reader.identity;
    if (reader.renewal !== undefined) event.response.fields.append('Set-Cookie', reader.renewal);
  }

  /**
   * Offers the sign-in to guests who would need it. A 401 is a document for client software (specification, 7) and
   * remains one; browsers show it as a page where readers can sign in without credentials.
   */
  #offerSignIn(event: MvcEvent): void {
    const { problem, identity = guest, request, response } = event;
    if (problem === undefined || !isDocumentation(event) || !identity.isGuest) return;
    if (problem.status !== 401 && problem.code !== 'forbidden_to_guests') return;
    response.fields.addToList('Vary', 'Accept');
    if (PROBLEM_TYPES.choose(request.header('accept')) !== HTML) return;
    const href = this.#signIn.url(joinTarget(request.path, request.rawQuery));
    const signIn = { label: this.#signIn.settings.label, href };
    event.viewModel = new ViewModel({ problem: problem.toJSON(), signIn }, { template: ERROR_TEMPLATE });
  }
}

function isDocumentation({ match }: MvcEvent): boolean {
  const target = match?.route.target;
  return target instanceof DocumentationRoute || target instanceof ReadersRoute;
}

/** What a reader sees is not for caches, and what guests see is not for readers. */
function addFields(event: MvcEvent): void {
  if (!isDocumentation(event)) return;
  const { identity = guest, response, authenticated } = event;
  response.fields.addToList('Vary', 'Cookie');
  if (!identity.isGuest && authenticated === undefined)
    response.fields.set('Cache-Control', 'private, no-cache');
}
