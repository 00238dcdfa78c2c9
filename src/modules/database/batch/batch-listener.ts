import {
  Listeners,
  priorities,
  problem,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
} from '../../../framework';
import type { HostedEndpoint } from '../../hosting';
import { isInBatch } from './transaction-scope';

/** Refuses operations of a batch that are not in its transaction: those of services that are not over tables. */
export class BatchListener extends Listeners<ApplicationEvents> {
  readonly #isTableService: (endpoint: HostedEndpoint) => boolean;

  constructor(isTableService: (endpoint: HostedEndpoint) => boolean) {
    super();
    this.#isTableService = isTableService;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('route', (event) => this.#check(event), priorities.route.authentication + 1)];
  }

  /** @throws Problem 422 */
  #check({ endpoint }: MvcEvent): void {
    if (!isInBatch() || endpoint === undefined) return;
    // Every endpoint of an API is hosted.
    if (!this.#isTableService(endpoint as HostedEndpoint))
      throw problem('batch_not_atomic', { reason: 'its service is not over a table' });
  }
}
