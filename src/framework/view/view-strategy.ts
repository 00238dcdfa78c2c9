import type { EventManager } from '../events/event-manager';
import { Listeners } from '../events/listener-group';
import type { Renderer } from './renderer';
import type { ViewEvent, ViewEvents } from './view-event';
import type { ViewModel } from './view-model';

/** The priority at which added formats attach: above the built-in ones (JSON 100, nunjucks 1). */
export const STRATEGY_PRIORITY = 200;

/**
 * Recognizes view models, names their renderer, and labels the response. Extend it to add a format; the
 * renderer comes by injection, through the factory that the container has for the strategy.
 *
 * A strategy keeps nothing of a request: at `response` it knows by the renderer whether the choice was its own.
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

  /** @param contentType of the responses it renders */
  constructor(renderer: Renderer, contentType: string) {
    super();
    this.#renderer = renderer;
    this.#contentType = contentType;
  }

  protected abstract recognizes(model: ViewModel): boolean;

  /** The `Content-Type` for a model; the strategy's own, unless overridden. */
  protected contentTypeOf(model: ViewModel): string;
  protected contentTypeOf(): string {
    return this.#contentType;
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
    return this.recognizes(event.model) ? this.#renderer : undefined;
  }

  #injectResponse(event: ViewEvent): void {
    if (event.renderer !== this.#renderer || !this.recognizes(event.model)) return;
    if (!event.response.fields.has('Content-Type')) {
      event.response.fields.set('Content-Type', this.contentTypeOf(event.model));
    }
  }
}

export function isViewStrategy(service: unknown): service is ViewStrategy {
  return service instanceof ViewStrategy;
}
