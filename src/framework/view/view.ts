import type { Attribution } from '../events/attribution';
import { EventManager } from '../events/event-manager';
import { runCooperatively, type RenderSteps } from '../events/cooperative';
import { isThenable, type MaybePromise } from '../events/maybe-promise';
import type { Response } from '../http/response';
import { isMoreDerived, isRenderer, type Renderer } from './renderer';
import { EncodedContent } from '../http/encoded-content';
import { EncodedContentCache, type CacheEntry } from './encoded-content-cache';
import { ViewEvent, type ViewEvents } from './view-event';
import { ViewHelpers } from './templates/view-helpers';
import type { ViewModel } from './view-model';

/**
 * Renders view models. At its `renderer` event the strategies look at the model, and the first that knows it
 * returns the renderer; at `response` the strategy whose renderer was used adds the `Content-Type`.
 */
export class View {
  readonly events: EventManager<ViewEvents>;
  /** What templates may call. */
  readonly helpers = new ViewHelpers();
  readonly #cache = new EncodedContentCache();
  /** What is rendered in turns at present. */
  #session = { areWanted: true };

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
    // As in the kernel, each step goes on by itself: functions are made only for what is waited for.
    return isThenable(selected)
      ? selected.then(({ last }) => this.#renderModel(event, last))
      : this.#renderModel(event, selected.last);
  }

  #renderModel(event: ViewEvent, renderer: unknown): MaybePromise<void> {
    const { model } = event;
    if (!isRenderer(renderer))
      throw new TypeError(`No view strategy supports the view model ${model.constructor.name}.`);
    event.renderer = renderer;
    const place = this.#cache.entryFor(model, renderer);
    const content = place?.content?.bytes ?? place?.rendering ?? this.#renderContent(model, renderer, place);
    // What a renderer promises need not be a promise.
    return isThenable(content)
      ? Promise.resolve(content).then((made) => this.#fill(event, made, place))
      : this.#fill(event, content, place);
  }

  #fill(event: ViewEvent, content: string | Buffer, place: CacheEntry | undefined): MaybePromise<void> {
    event.content = content;
    const told = this.events.trigger('response', event);
    if (isThenable(told)) return told.then(() => this.#setBody(event, content, place));
    this.#setBody(event, content, place);
    return undefined;
  }

  #setBody(
    { content, model, response }: ViewEvent,
    made: string | Buffer,
    place: CacheEntry | undefined,
  ): void {
    response.body = content;
    // What a listener has put in its place is for this request only.
    if (place !== undefined && content === made) {
      response.encodedContent =
        place.content ?? this.#cache.store(place, new EncodedContent(made, model.constructor.name));
    }
  }

  /** Ends what is rendered at present, at its next turn: nobody is there any more who waits for it. */
  cancelRendering(): void {
    this.#session.areWanted = false;
    this.#session = { areWanted: true };
  }

  /** What is kept is rendered once for all who ask while it is, and lets others have their turn meanwhile. */
  #renderContent(
    model: ViewModel,
    renderer: Renderer,
    place: CacheEntry | undefined,
  ): MaybePromise<string | Buffer> {
    if (place === undefined) return renderer.render(model);
    const renderings = this.#session;
    const content =
      renderer.steps !== undefined && isMoreDerived(renderer, 'steps', 'render')
        ? runCooperatively(clearingWhenDone(place, renderer.steps(model)), () => renderings.areWanted)
        : renderer.render(model);
    if (!isThenable(content)) return content;
    const done = (): void => {
      place.rendering = undefined;
    };
    place.rendering = content;
    content.then(done, done);
    return content;
  }
}

/** Work that leaves nothing behind that would be waited for, also where it is abandoned. */
function* clearingWhenDone<Result>(place: CacheEntry, steps: RenderSteps<Result>): RenderSteps<Result> {
  try {
    return yield* steps;
  } finally {
    place.rendering = undefined;
  }
}
