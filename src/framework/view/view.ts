import { types } from 'node:util';
import type { Attribution } from '../events/attribution';
import { EventManager } from '../events/event-manager';
import { runCooperatively } from '../events/cooperative';
import type { Steps } from '../values/steps';
import { isThenable, type MaybePromise } from '../events/maybe-promise';
import type { Response } from '../http/response';
import { describeValue } from '../text/describe-value';
import { isMoreDerived, isRenderer, type Renderer } from './renderer';
import { EncodedContent } from '../http/encoded-content';
import {
  EncodedContentCache,
  RenderingCounts,
  type CacheEntry,
  type CacheKey,
} from './encoded-content-cache';
import { ViewEvent, type ViewEvents } from './view-event';
import { ViewHelpers } from './templates/view-helpers';
import type { ViewModel } from './view-model';

/**
 * Renders view models. At `renderer`, the first strategy that recognizes the model returns its renderer; at
 * `response`, the strategy of that renderer sets `Content-Type`.
 */
export class View {
  readonly events: EventManager<ViewEvents>;
  /** Functions for templates. */
  readonly helpers = new ViewHelpers();
  readonly #cache = new EncodedContentCache();
  readonly #counts: RenderingCounts;
  /** The state of cooperative renderings, replaced when they are cancelled. */
  #session = { isActive: true };

  /**
   * @param attribution shared with the application's listeners
   * @param counts shared with the views of other applications
   */
  constructor(attribution?: Attribution, counts = new RenderingCounts()) {
    this.events = new EventManager(attribution);
    this.#counts = counts;
  }

  /** The bytes of cached renderings. */
  get cachedBytes(): number {
    return this.#cache.bytes;
  }

  /**
   * Renders a model into the body and the fields of a response.
   * @throws TypeError if no strategy supports the model, or its renderer returns neither text nor bytes
   */
  render(model: ViewModel, response: Response): MaybePromise<void> {
    const event = new ViewEvent(model, response);
    const selected = this.events.triggerUntil(isRenderer, 'renderer', event);
    // As in the kernel, closures are created only for asynchronous steps.
    return isThenable(selected)
      ? selected.then(({ last }) => this.#renderModel(event, last))
      : this.#renderModel(event, selected.last);
  }

  #renderModel(event: ViewEvent, renderer: unknown): MaybePromise<void> {
    const { model } = event;
    if (!isRenderer(renderer))
      throw new TypeError(`No view strategy supports the view model ${model.constructor.name}.`);
    event.renderer = renderer;
    const entry = this.#cache.entryFor(model, renderer);
    const cached = entry?.content?.bytes ?? entry?.rendering;
    if (cached !== undefined) this.#counts.hits++;
    else if (entry !== undefined) this.#counts.misses++;
    const content = cached ?? this.#renderContent(model, renderer, entry);
    // A renderer may return a thenable that is not a promise.
    return isThenable(content)
      ? Promise.resolve(content).then((rendered) => this.#fill(event, rendered, entry))
      : this.#fill(event, content, entry);
  }

  #fill(event: ViewEvent, content: string | Buffer, entry: CacheEntry | undefined): MaybePromise<void> {
    assertContent(content, event);
    event.content = content;
    const result = this.events.trigger('response', event);
    if (isThenable(result)) return result.then(() => this.#setBody(event, content, entry));
    this.#setBody(event, content, entry);
    return undefined;
  }

  #setBody(
    { content, model, response }: ViewEvent,
    rendered: string | Buffer,
    entry: CacheEntry | undefined,
  ): void {
    response.body = content;
    // Content replaced by a listener is not cached.
    if (entry !== undefined && content === rendered) {
      response.encodedContent =
        entry.content ?? this.#cache.store(entry, new EncodedContent(rendered, model.constructor.name));
      entry.contentType = response.fields.get('Content-Type');
      entry.revision = this.events.revision;
    }
  }

  /**
   * Returns the cached rendering of the current listeners, without triggering the events.
   * @internal
   */
  rendered(key: CacheKey): CacheEntry | undefined {
    const entry = this.#cache.rendered(key, this.events.revision);
    if (entry?.contentType !== undefined) this.#counts.hits++;
    return entry;
  }

  /** Cancels cooperative renderings at their next step: no request waits for them any more. */
  cancelRendering(): void {
    this.#session.isActive = false;
    this.#session = { isActive: true };
  }

  /** Renders content. Cacheable content is rendered cooperatively, once for concurrent requests. */
  #renderContent(
    model: ViewModel,
    renderer: Renderer,
    entry: CacheEntry | undefined,
  ): MaybePromise<string | Buffer> {
    if (entry === undefined) return renderer.render(model);
    const session = this.#session;
    const content =
      renderer.steps !== undefined && isMoreDerived(renderer, 'steps', 'render')
        ? runCooperatively(clearingWhenDone(entry, renderer.steps(model)), () => session.isActive)
        : renderer.render(model);
    if (!isThenable(content)) return content;
    const done = (): void => {
      entry.rendering = undefined;
    };
    entry.rendering = content;
    content.then(done, done);
    return content;
  }
}

/** @throws TypeError for content that cannot be sent, such as the generator of an asynchronous one */
function assertContent(content: unknown, { renderer, strategy }: ViewEvent): void {
  if (typeof content === 'string' || types.isUint8Array(content)) return;
  const name =
    strategy === undefined ? renderer?.constructor.name : `renderer of ${strategy.constructor.name}`;
  throw new TypeError(`The ${name} returned ${describeValue(content)}. Return a string or a Buffer.`);
}

/** Clears the pending rendering of an entry when the steps end, even if they are abandoned. */
function* clearingWhenDone<Result>(entry: CacheEntry, steps: Steps<Result>): Steps<Result> {
  try {
    return yield* steps;
  } finally {
    entry.rendering = undefined;
  }
}
