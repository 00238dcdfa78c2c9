import {
  andThen,
  Listeners,
  runCooperativelyOnce,
  ViewModel,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
} from '../../../framework';
import type { Api } from '../model/api';
import { ClosestPages, type ClosePage } from './closest-pages';
import { ERROR_TEMPLATE } from './page-fields';

/** Runs after the framework and the admin have created their error pages. */
const AFTER = -1;

/** Adds suggestions of similar pages to 404 pages. Other formats stay unchanged. */
export class ErrorSuggestions extends Listeners<ApplicationEvents> {
  readonly #pages: () => MaybePromise<ClosestPages>;

  /**
   * @param apis the APIs that guests see, because requests without a route are not authenticated
   * @param home the URL path of the list of APIs
   */
  constructor(apis: () => readonly Api[], home: string) {
    super();
    this.#pages = runCooperativelyOnce(() => ClosestPages.build(apis(), home));
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('dispatch.error', (event) => this.#suggest(event), AFTER)];
  }

  #suggest(event: MvcEvent): MaybePromise<void> {
    const { match, problem, viewModel } = event;
    if (match !== undefined || problem?.status !== 404 || viewModel?.template !== ERROR_TEMPLATE)
      return undefined;
    return andThen(this.#pages(), (pages) => {
      const near: readonly ClosePage[] = pages.to(event.request.path);
      if (near.length > 0)
        event.viewModel = new ViewModel({ ...viewModel.variables, near }, { template: ERROR_TEMPLATE });
    });
  }
}
