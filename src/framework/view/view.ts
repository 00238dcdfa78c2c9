import type { Attribution } from '../events/attribution';
import { EventManager } from '../events/event-manager';
import { andThen, type MaybePromise } from '../events/maybe-promise';
import type { Response } from '../http/response';
import { isRenderer, type Renderer } from './renderer';
import { Representation } from './representation';
import { RepresentationCache } from './representation-cache';
import { ViewEvent, type ViewEvents } from './view-event';
import { ViewHelpers } from './view-helpers';
import type { ViewModel } from './view-model';

/**
 * Renders view models. At its `renderer` event the strategies look at the model, and the first that knows it
 * returns the renderer; at `response` the strategy whose renderer was used adds the `Content-Type`.
 */
export class View {
  readonly events: EventManager<ViewEvents>;
  /** What templates may call. */
  readonly helpers = new ViewHelpers();
  readonly #cache = new RepresentationCache();

  /** @param attribution shared with the application's listeners */
  constructor(attribution?: Attribution) {
    this.events = new EventManager(attribution);
  }

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
      const kept = this.#cache.get(model, last);
      return andThen(kept?.bytes ?? last.render(model), (content) => {
        event.content = content;
        return andThen(this.events.trigger('response', event), () => {
          response.body = event.content;
          // What a listener has put in its place is for this request only.
          if (model.cacheScope !== undefined && event.content === content) {
            response.representation = kept ?? this.#keep(model, last, content);
          }
        });
      });
    });
  }

  #keep(model: ViewModel, renderer: Renderer, content: string | Buffer): Representation {
    const representation = new Representation(content);
    this.#cache.keep(model, renderer, representation);
    return representation;
  }
}
