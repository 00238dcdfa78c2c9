import type { EventManager } from '../events/event-manager';
import { Listeners } from '../events/listener-group';
import { isThenable } from '../events/maybe-promise';
import { Problem } from '../problem/problem';
import { describeValue } from '../text/describe-value';
import { isRenderer, type Renderer } from './renderer';
import type { ViewEvent, ViewEvents } from './view-event';
import type { ViewModel } from './view-model';

/** The priority of added formats, above the built-in ones (JSON 100, Nunjucks 1). */
export const STRATEGY_PRIORITY = 200;

/**
 * Recognizes view models, selects their renderer, and sets `Content-Type`. Extend it to add a format; the renderer is
 * injected by the container.
 *
 * A strategy stores no request state: at `response`, it compares renderers to find out whether it was selected.
 *
 * @example
 * class BlueprintStrategy extends ViewStrategy {
 *   constructor(renderer: BlueprintRenderer) { super(renderer, 'text/vnd.apiblueprint+markdown'); }
 *   protected override recognizes(model: ViewModel) { return model instanceof BlueprintModel; }
 * }
 */
export abstract class ViewStrategy extends Listeners<ViewEvents> {
  readonly #renderer: Renderer;
  readonly #contentType: string;

  /**
   * @param contentType the `Content-Type` of its responses, unless the selector has further media types for its models
   * @throws TypeError for what is not a renderer: another strategy would render its models
   */
  constructor(renderer: Renderer, contentType: string) {
    super();
    if (!isRenderer(renderer))
      throw new TypeError(
        `The renderer of ${this.constructor.name} is ${describeValue(renderer)}. Pass an object with a method render(); a factory receives what the list after it names.`,
      );
    this.#renderer = renderer;
    this.#contentType = contentType;
  }

  protected abstract recognizes(model: ViewModel): boolean;

  /**
   * Returns the `Content-Type` for a model: the media type that was negotiated, as the client accepts no other. That of the
   * strategy may have parameters in addition. Its `charset` is that of other types of text too: clients have different
   * defaults.
   */
  protected contentTypeOf({ content, mediaType }: ViewModel): string {
    // The renderer writes a problem in its own format.
    if (mediaType === undefined || content instanceof Problem) return this.#contentType;
    const [type = ''] = this.#contentType.split(';');
    if (mediaType.toLowerCase() === type.trim().toLowerCase()) return this.#contentType;
    const charset = /^text\//i.test(mediaType) ? charsetOf(this.#contentType) : undefined;
    return charset === undefined || charsetOf(mediaType) !== undefined
      ? mediaType
      : `${mediaType}; ${charset}`;
  }

  protected override listeners(
    events: EventManager<ViewEvents>,
    priority = STRATEGY_PRIORITY,
  ): readonly (() => void)[] {
    return [
      events.attach('renderer', (event) => this.#selectRenderer(event), priority),
      events.attach('response', (event) => this.#injectResponse(event), priority),
    ];
  }

  #selectRenderer(event: ViewEvent): Renderer | undefined {
    const recognized: unknown = this.recognizes(event.model);
    if (recognized !== true) {
      if (isThenable(recognized))
        throw new TypeError(
          `recognizes() of ${this.constructor.name} returned a promise. Return true or false.`,
        );
      if (!recognized) return undefined;
    }
    event.strategy = this;
    return this.#renderer;
  }

  #injectResponse(event: ViewEvent): void {
    if (event.renderer !== this.#renderer || !this.recognizes(event.model)) return;
    if (!event.response.fields.has('Content-Type')) {
      event.response.fields.set('Content-Type', this.contentTypeOf(event.model));
    }
  }
}

/** Returns the parameter, such as `charset=utf-8`. */
function charsetOf(contentType: string): string | undefined {
  return /;[ \t]*(charset=[^; \t]+)/i.exec(contentType)?.[1];
}

export function isViewStrategy(service: unknown): service is ViewStrategy {
  return service instanceof ViewStrategy;
}
