import {
  essence,
  Listeners,
  oncePer,
  parseMediaType,
  priorities,
  type ApplicationEvents,
  type Endpoint,
  type EventManager,
  type MvcEvent,
} from '../../../framework';
import { isHosted, type Catalogue, type HostedEndpoint, type ResponseChecks } from '../../hosting';
import { documentedResponses, type DocumentedResponses } from '../build/operation-of';

/**
 * Not documented: every operation may fail, which the error log reports; any client may send a precondition to a resource
 * without revisions; and what is not implemented responds with 501.
 */
const UNDOCUMENTED: readonly number[] = [304, 412, 500, 501];

/** Runs after all other changes of the response, before it is sent. */
const LAST = priorities.response.send + 1;

/**
 * Compares the status and the media type of responses with the documentation of the operation. The response stays
 * unchanged; each difference is reported once.
 */
export class DocumentedResponseChecks extends Listeners<ApplicationEvents> {
  readonly #checks: ResponseChecks;
  readonly #catalogue: Catalogue;
  /** Undefined for an endpoint of no service. */
  readonly #documentedOf = oncePer((endpoint: Endpoint) =>
    isHosted(endpoint) ? documentedBy(endpoint, this.#catalogue) : undefined,
  );

  constructor(catalogue: Catalogue, checks: ResponseChecks) {
    super();
    this.#checks = checks;
    this.#catalogue = catalogue;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('response', (event) => this.#compare(event), LAST)];
  }

  #compare({ endpoint, response }: MvcEvent): void {
    const documented = endpoint === undefined ? undefined : this.#documentedOf(endpoint);
    if (endpoint === undefined || documented === undefined || UNDOCUMENTED.includes(response.status)) return;
    const { statuses, types } = documented;
    if (!statuses.has(response.status)) {
      this.#checks.recordDifference(endpoint.name, `responds ${response.status}, which is not documented`);
    }
    const type = response.fields.get('Content-Type');
    if (response.status >= 300 || type === undefined || types.has(type)) return;
    const media = parseMediaType(type);
    if (media !== undefined && types.has(essence(media))) return;
    this.#checks.recordDifference(endpoint.name, `responds with ${type}, which is not documented`);
  }
}

function documentedBy(endpoint: HostedEndpoint, catalogue: Catalogue): DocumentedResponses | undefined {
  const version = catalogue.version(endpoint.api, endpoint.version);
  const service = version?.services.find(({ name }) => name === endpoint.service);
  return service && documentedResponses(endpoint, service);
}
