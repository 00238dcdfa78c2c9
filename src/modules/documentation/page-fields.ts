import {
  Listeners,
  priorities,
  repeatable,
  ViewModel,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../framework';
import { pagePolicy } from './page-policy';

/** The page of a problem, which looks like the others. */
export const ERROR_TEMPLATE = 'platform/error';
const OWN_TEMPLATES = 'platform-documentation/';

/** A listener of an author's may write another policy each time. */
const MOST_POLICIES = 8;

const POLICY = 'Content-Security-Policy';

/** After the fields that the operator gives every answer. */
const AFTER = priorities.response.fields - 1;

/** At `response`, lets pages do what they are made for: no other answer may run a script. */
export class PageFields extends Listeners<ApplicationEvents> {
  /** The policy of pages by the one that they would carry otherwise: the operator's, the same all the time. */
  readonly #policies = new Map<string | undefined, string>();

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'response',
        repeatable((event) => this.#allowScripts(event)),
        AFTER,
      ),
    ];
  }

  #allowScripts({ response, viewModel }: MvcEvent): void {
    // Formats have view models of their own class; a plain one is what templates show.
    if (viewModel?.constructor !== ViewModel || viewModel.template === undefined) return;
    if (viewModel.template !== ERROR_TEMPLATE && !viewModel.template.startsWith(OWN_TEMPLATES)) return;
    const given = response.fields.get(POLICY);
    response.fields.set(POLICY, this.#policies.get(given) ?? this.#keep(given));
  }

  #keep(given: string | undefined): string {
    const policy = pagePolicy(given);
    if (this.#policies.size < MOST_POLICIES) this.#policies.set(given, policy);
    return policy;
  }
}
