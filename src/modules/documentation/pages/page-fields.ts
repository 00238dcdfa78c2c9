import {
  Listeners,
  priorities,
  ViewModel,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../../framework';
import { SEARCH_TEMPLATE } from '../search/search-entry';
import { pagePolicy } from './page-policy';

/** The error page. */
export const ERROR_TEMPLATE = 'platform/error';
const OWN_TEMPLATES = 'platform-documentation/';

/** Listeners of authors may set a different policy for each response. */
const MAX_POLICIES = 8;

const POLICY = 'Content-Security-Policy';

/** Runs after the response headers of the operator. */
const AFTER = priorities.response.fields - 1;

/** At `response`, sets the `Content-Security-Policy` of pages; no other response may run scripts. */
export class PageFields extends Listeners<ApplicationEvents> {
  /** Page policies by the operator's policy. */
  readonly #policies = new Map<string | undefined, string>();

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('response', (event) => this.#allowScripts(event), AFTER)];
  }

  #allowScripts({ response, viewModel }: MvcEvent): void {
    // Only templates use the plain ViewModel class.
    if (viewModel?.constructor !== ViewModel || viewModel.template === undefined) return;
    if (viewModel.template !== ERROR_TEMPLATE && !viewModel.template.startsWith(OWN_TEMPLATES)) return;
    const configured = response.fields.get(POLICY);
    const policy =
      viewModel.template === SEARCH_TEMPLATE
        ? pagePolicy(configured, true)
        : (this.#policies.get(configured) ?? this.#addPolicy(configured));
    response.fields.set(POLICY, policy);
  }

  #addPolicy(configured: string | undefined): string {
    const policy = pagePolicy(configured);
    if (this.#policies.size < MAX_POLICIES) this.#policies.set(configured, policy);
    return policy;
  }
}
