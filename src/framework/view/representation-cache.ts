import type { Renderer } from './renderer';
import type { Representation } from './representation';
import type { ViewModel } from './view-model';

type ByKind = Map<string, Representation>;

/**
 * What was rendered of content that never changes. What makes a difference is in the key: the content, the
 * renderer, the class of the view model, its template and its media type.
 */
export class RepresentationCache {
  readonly #kept = new WeakMap<object, Map<Renderer, Map<unknown, ByKind>>>();

  get(model: ViewModel, renderer: Renderer): Representation | undefined {
    const { cacheScope: scope } = model;
    if (scope === undefined) return undefined;
    return this.#kept.get(scope)?.get(renderer)?.get(model.constructor)?.get(kindOf(model));
  }

  keep(model: ViewModel, renderer: Renderer, representation: Representation): void {
    const { cacheScope: scope } = model;
    if (scope === undefined) return;
    const byRenderer = this.#kept.get(scope) ?? new Map<Renderer, Map<unknown, ByKind>>();
    const byClass = byRenderer.get(renderer) ?? new Map<unknown, ByKind>();
    const byKind = byClass.get(model.constructor) ?? new Map<string, Representation>();
    this.#kept.set(scope, byRenderer.set(renderer, byClass.set(model.constructor, byKind)));
    byKind.set(kindOf(model), representation);
  }
}

function kindOf({ template = '', mediaType = '' }: ViewModel): string {
  return `${template}\0${mediaType}`;
}
