import {
  Listeners,
  priorities,
  ViewModel,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../framework';

/** The page of a problem, which looks like the others. */
const ERROR_TEMPLATE = 'platform/error';
const OWN_TEMPLATES = 'platform-documentation/';

/** Pages run the scripts of their own origin, and ask only there. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** At `response`, lets pages do what they are made for: no other answer may run a script. */
export class PageFields extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('response', (event) => allowScripts(event), priorities.response.fields)];
  }
}

function allowScripts({ response, viewModel }: MvcEvent): void {
  // Formats have view models of their own class; a plain one is what templates show.
  if (viewModel?.constructor !== ViewModel || viewModel.template === undefined) return;
  if (viewModel.template === ERROR_TEMPLATE || viewModel.template.startsWith(OWN_TEMPLATES)) {
    response.fields.set('Content-Security-Policy', PAGE_POLICY);
  }
}
