import type { Renderer } from './renderer';
import type { Representation } from './representation';
import type { ViewModel } from './view-model';

/** The place of one representation. */
export interface CachePlace {
  /** What is kept; undefined until it was rendered. */
  representation: Representation | undefined;
  /** While it is rendered, for all who ask for it in the meantime. */
  rendering: PromiseLike<string | Buffer> | undefined;
}

type ByKind = Map<string, CachePlace>;

/** Bytes that are kept, codings not counted: they add a tenth to a fifth. */
const MOST = 96 * 1_048_576;

/**
 * What was rendered of content that never changes. What makes a difference is in the key: the content, the
 * renderer, the class of the view model, its template and its media type. Beyond a number of bytes, what was not asked
 * for the longest goes, and is rendered again when somebody asks for it.
 */
export class RepresentationCache {
  readonly #kept = new WeakMap<object, Map<Renderer, Map<unknown, ByKind>>>();
  /** Places with a representation, in the order in which they were last asked for, and their bytes. */
  readonly #used = new Map<CachePlace, number>();
  readonly #most: number;
  #bytes = 0;

  /** @param most bytes to keep */
  constructor(most = MOST) {
    this.#most = most;
  }

  /** The place of what a renderer makes of a model; undefined for what is not kept. */
  placeOf(model: ViewModel, renderer: Renderer): CachePlace | undefined {
    const { cacheScope: scope } = model;
    if (scope === undefined) return undefined;
    const known = this.#kept.get(scope)?.get(renderer)?.get(model.constructor)?.get(kindOf(model));
    if (known === undefined) return this.#makePlace(scope, model, renderer);
    const bytes = this.#used.get(known);
    if (bytes !== undefined) {
      this.#used.delete(known);
      this.#used.set(known, bytes);
    }
    return known;
  }

  /** Keeps what was rendered for a place. What is larger than all that may be kept is the last to go. */
  keep(place: CachePlace, representation: Representation): Representation {
    this.#bytes += representation.bytes.length - (this.#used.get(place) ?? 0);
    this.#used.delete(place);
    this.#used.set(place, representation.bytes.length);
    place.representation = representation;
    for (const [oldest, bytes] of this.#used) {
      if (this.#bytes <= this.#most || oldest === place) break;
      this.#used.delete(oldest);
      this.#bytes -= bytes;
      oldest.representation = undefined;
    }
    return representation;
  }

  #makePlace(scope: object, model: ViewModel, renderer: Renderer): CachePlace {
    const byRenderer = this.#kept.get(scope) ?? new Map<Renderer, Map<unknown, ByKind>>();
    const byClass = byRenderer.get(renderer) ?? new Map<unknown, ByKind>();
    const byKind = byClass.get(model.constructor) ?? new Map<string, CachePlace>();
    const place: CachePlace = { representation: undefined, rendering: undefined };
    this.#kept.set(scope, byRenderer.set(renderer, byClass.set(model.constructor, byKind)));
    byKind.set(kindOf(model), place);
    return place;
  }
}

function kindOf({ template = '', mediaType = '' }: ViewModel): string {
  return `${template}\0${mediaType}`;
}
