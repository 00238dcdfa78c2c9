import { EventManager } from '../events/event-manager';
import { andThen, type MaybePromise } from '../events/maybe-promise';
import type { Response } from '../http/response';
import { isRenderer } from './renderer';
import { ViewEvent, type ViewEvents } from './view-event';
import { ViewHelpers } from './view-helpers';
import type { ViewModel } from './view-model';

/**
 * Renders view models. At its `renderer` event the strategies look at the model, and the first that knows it
 * returns the renderer; at `response` the strategy whose renderer was used adds the `Content-Type`.
 */
export class View {
  readonly events = new EventManager<ViewEvents>();
  /** What templates may call. */
  readonly helpers = new ViewHelpers();

  /**
   * Fills the response's body and fields from a model.
   * @throws TypeError when no strategy knows the model
   */
  render(model: ViewModel, response: Response): MaybePromise<void> {
    const event = new ViewEvent(model, response);
    const selected = this.events.triggerUntil(isRenderer, 'renderer', event);
    return andThen(selected, ({ last }) => {
      if (!isRenderer(last))
        throw new TypeError(`No view strategy knows the view model ${model.constructor.name}.`);
      event.renderer = last;
      return andThen(last.render(model), (content) => {
        event.content = content;
        return andThen(this.events.trigger('response', event), () => {
          response.body = event.content;
        });
      });
    });
  }
}
