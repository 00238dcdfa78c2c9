import {
  Listeners,
  priorities,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../../framework';
import { guest, requiresUser, permits } from '../../mvc-auth';
import type { DescriptionLink, DescriptionLinks } from '../pages/description-links';
import type { DocumentationLinks } from './documentation-links';
import { DocumentationRoute, isDeferred } from './documentation-route';

/** At `response`, adds caching and links to other formats to documentation, and links to the description to APIs. */
export class DocumentationFields extends Listeners<ApplicationEvents> {
  readonly #links: DocumentationLinks;
  readonly #descriptions: DescriptionLinks;

  constructor(links: DocumentationLinks, descriptions: DescriptionLinks) {
    super();
    this.#links = links;
    this.#descriptions = descriptions;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('response', (event) => this.#add(event), priorities.response.fields)];
  }

  #add(event: MvcEvent): void {
    const { endpoint, response } = event;
    if (endpoint === undefined || response.status >= 400) return;
    const link = this.#descriptions.of(endpoint);
    if (link !== undefined) describeApi(event, link);
    else if (event.match?.route.target instanceof DocumentationRoute) this.#describe(event);
  }

  #describe({
    request,
    response,
    guard,
    access,
    identity = guest,
    parameters,
    responseFormat,
    documentation,
  }: MvcEvent): void {
    const { fields } = response;
    // The response for a user is private; that for guests is revalidated on each use.
    fields.set('Cache-Control', identity.isGuest ? 'no-cache' : 'private, no-cache');
    for (const name of guard?.vary ?? []) fields.addToList('Vary', name);
    if (access !== undefined && requiresUser(access)) fields.set('X-Robots-Tag', 'noindex');
    // Comparisons and changelogs have fewer formats than the version.
    if (isDeferred(documentation?.forUsers)) return;
    const links = this.#links.alternates(parameters, request.path, responseFormat?.name);
    if (links !== '') fields.append('Link', links);
  }
}

/** Adds a link to the API's description to a response, for its readers. */
function describeApi(
  { response, guard, identity = guest }: MvcEvent,
  { value, readers }: DescriptionLink,
): void {
  // A cached response for a user is not for guests.
  if (requiresUser(readers)) for (const name of guard?.vary ?? []) response.fields.addToList('Vary', name);
  if (permits(readers, identity)) response.fields.append('Link', value);
}
