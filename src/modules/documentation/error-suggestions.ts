import {
  Listeners,
  ViewModel,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../framework';
import type { Api } from './model/api';
import { NearestPages, type NearPage } from './nearest-pages';
import { ERROR_TEMPLATE } from './page-fields';

/** After the framework and the admin have made their pages of a problem. */
const AFTER = -1;

/** On the page of a 404, tells what the path may have been meant for. Other formats are left as they are. */
export class ErrorSuggestions extends Listeners<ApplicationEvents> {
  readonly #apis: () => readonly Api[];
  readonly #home: string;
  /** Made when the first page needs it. */
  #pages: NearestPages | undefined;

  /**
   * @param apis those that guests may know of: nobody has signed in where no route was found
   * @param home the address of their list
   */
  constructor(apis: () => readonly Api[], home: string) {
    super();
    this.#apis = apis;
    this.#home = home;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('dispatch.error', (event) => this.#suggest(event), AFTER)];
  }

  #suggest(event: MvcEvent): void {
    const { match, problem, request, viewModel } = event;
    if (match !== undefined || problem?.status !== 404 || viewModel?.template !== ERROR_TEMPLATE) return;
    this.#pages ??= new NearestPages(this.#apis(), this.#home);
    const near: readonly NearPage[] = this.#pages.to(request.path);
    if (near.length === 0) return;
    event.viewModel = new ViewModel({ ...viewModel.variables, near }, { template: ERROR_TEMPLATE });
  }
}
