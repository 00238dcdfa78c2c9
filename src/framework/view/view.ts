import type { Attribution } from '../events/attribution';
import { EventManager } from '../events/event-manager';
import { inTurns } from '../events/in-turns';
import { andThen, isThenable, type MaybePromise } from '../events/maybe-promise';
import type { Response } from '../http/response';
import { isRenderer, type Renderer } from './renderer';
import { Representation } from './representation';
import { RepresentationCache, type CachePlace } from './representation-cache';
import { speaksFor } from './speaks-for';
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
      const place = this.#cache.placeOf(model, last);
      const content = place?.representation?.bytes ?? place?.rendering ?? rendered(model, last, place);
      return andThen(content, (made) => this.#fill(event, made, place));
    });
  }

  #fill(event: ViewEvent, content: string | Buffer, place: CachePlace | undefined): MaybePromise<void> {
    const { response } = event;
    event.content = content;
    return andThen(this.events.trigger('response', event), () => {
      response.body = event.content;
      // What a listener has put in its place is for this request only.
      if (place !== undefined && event.content === content) {
        response.representation =
          place.representation ??
          this.#cache.keep(place, new Representation(content, event.model.constructor.name));
      }
    });
  }
}

/** What is kept is rendered once for all who ask while it is, and lets others have their turn meanwhile. */
function rendered(
  model: ViewModel,
  renderer: Renderer,
  place: CachePlace | undefined,
): MaybePromise<string | Buffer> {
  if (place === undefined) return renderer.render(model);
  const content =
    renderer.steps !== undefined && speaksFor(renderer, 'steps', 'render')
      ? inTurns(renderer.steps(model))
      : renderer.render(model);
  if (!isThenable(content)) return content;
  const done = (): void => {
    place.rendering = undefined;
  };
  place.rendering = content;
  content.then(done, done);
  return content;
}
