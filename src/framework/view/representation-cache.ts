import type { Renderer } from './renderer';
import type { Representation } from './representation';
import type { ViewModel } from './view-model';

/** The place of one representation: what makes a difference, and what is there. */
export interface CachePlace {
  readonly renderer: Renderer;
  readonly model: unknown;
  readonly template: string | undefined;
  readonly mediaType: string | undefined;
  /** When it was last asked for, by a clock of its own. */
  usedAt: number;
  /** What is kept; undefined until it was rendered. */
  representation: Representation | undefined;
  /** While it is rendered, for all who ask for it in the meantime. */
  rendering: PromiseLike<string | Buffer> | undefined;
}

/** Bytes that are kept, codings not counted: they add a tenth to a fifth. */
const MOST = 96 * 1_048_576;

/**
 * What was rendered of content that never changes. Each content has a few places, one for what a renderer makes of a
 * class of view models with a template and a media type. Beyond a number of bytes, what was not asked for the longest
 * goes, and is rendered again when somebody asks for it.
 */
export class RepresentationCache {
  readonly #places = new WeakMap<object, CachePlace[]>();
  /** Places with a representation. */
  readonly #filled = new Set<CachePlace>();
  readonly #most: number;
  #bytes = 0;
  #clock = 0;

  /** @param most bytes to keep */
  constructor(most = MOST) {
    this.#most = most;
  }

  /** The place of what a renderer makes of a model; undefined for what is not kept. */
  placeOf(model: ViewModel, renderer: Renderer): CachePlace | undefined {
    const { cacheScope: scope, template, mediaType } = model;
    if (scope === undefined) return undefined;
    const places = this.#places.get(scope);
    if (places !== undefined) {
      for (const place of places) {
        if (
          place.renderer === renderer &&
          place.model === model.constructor &&
          place.template === template &&
          place.mediaType === mediaType
        ) {
          place.usedAt = ++this.#clock;
          return place;
        }
      }
    }
    const made: CachePlace = {
      renderer,
      model: model.constructor,
      template,
      mediaType,
      usedAt: ++this.#clock,
      representation: undefined,
      rendering: undefined,
    };
    if (places === undefined) this.#places.set(scope, [made]);
    else places.push(made);
    return made;
  }

  /** Keeps what was rendered for a place. What is larger than all that may be kept is the last to go. */
  keep(place: CachePlace, representation: Representation): Representation {
    this.#bytes += representation.bytes.length - (place.representation?.bytes.length ?? 0);
    place.representation = representation;
    place.usedAt = ++this.#clock;
    this.#filled.add(place);
    if (this.#bytes > this.#most) this.#makeRoom(place);
    return representation;
  }

  /** What is rendered costs more than looking through all that there is: nothing is kept in order. */
  #makeRoom(newest: CachePlace): void {
    for (const oldest of [...this.#filled].sort((a, b) => a.usedAt - b.usedAt)) {
      if (this.#bytes <= this.#most || oldest === newest) break;
      this.#filled.delete(oldest);
      this.#bytes -= oldest.representation?.bytes.length ?? 0;
      oldest.representation = undefined;
    }
  }
}
