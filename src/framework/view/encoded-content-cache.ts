import type { Renderer } from './renderer';
import type { EncodedContent } from '../http/encoded-content';
import type { ViewModel } from './view-model';

/** The place of one representation: what makes a difference, and what is there. */
export interface CacheEntry {
  readonly renderer: Renderer;
  readonly viewModel: unknown;
  readonly template: string | undefined;
  readonly mediaType: string | undefined;
  /** When it was last asked for, by a clock of its own. */
  usedAt: number;
  /** What is kept; undefined until it was rendered. */
  content: EncodedContent | undefined;
  /** While it is rendered, for all who ask for it in the meantime. */
  rendering: PromiseLike<string | Buffer> | undefined;
}

/** Bytes that are kept, codings not counted: they add a tenth to a fifth. */
const MAX_ENTRIES = 96 * 1_048_576;

/**
 * What was rendered of content that never changes. Each content has a few places, one for what a renderer makes of a
 * class of view models with a template and a media type. Beyond a number of bytes, what was not asked for the longest
 * goes, and is rendered again when somebody asks for it.
 */
export class EncodedContentCache {
  readonly #entries = new WeakMap<object, CacheEntry[]>();
  /** Places with a representation. */
  readonly #filled = new Set<CacheEntry>();
  readonly #maxBytes: number;
  #bytes = 0;
  #clock = 0;

  /** @param most bytes to keep */
  constructor(most = MAX_ENTRIES) {
    this.#maxBytes = most;
  }

  /** The place of what a renderer makes of a model; undefined for what is not kept. */
  entryFor(model: ViewModel, renderer: Renderer): CacheEntry | undefined {
    const { cacheScope: scope, template, mediaType } = model;
    if (scope === undefined) return undefined;
    const places = this.#entries.get(scope);
    if (places !== undefined) {
      for (const place of places) {
        if (
          place.renderer === renderer &&
          place.viewModel === model.constructor &&
          place.template === template &&
          place.mediaType === mediaType
        ) {
          place.usedAt = ++this.#clock;
          return place;
        }
      }
    }
    const made: CacheEntry = {
      renderer,
      viewModel: model.constructor,
      template,
      mediaType,
      usedAt: ++this.#clock,
      content: undefined,
      rendering: undefined,
    };
    if (places === undefined) this.#entries.set(scope, [made]);
    else places.push(made);
    return made;
  }

  /** Keeps what was rendered for a place. What is larger than all that may be kept is the last to go. */
  store(place: CacheEntry, representation: EncodedContent): EncodedContent {
    this.#bytes += representation.bytes.length - (place.content?.bytes.length ?? 0);
    place.content = representation;
    place.usedAt = ++this.#clock;
    this.#filled.add(place);
    if (this.#bytes > this.#maxBytes) this.#evict(place);
    return representation;
  }

  /** What is rendered costs more than looking through all that there is: nothing is kept in order. */
  #evict(newest: CacheEntry): void {
    for (const oldest of [...this.#filled].sort((a, b) => a.usedAt - b.usedAt)) {
      if (this.#bytes <= this.#maxBytes || oldest === newest) break;
      this.#filled.delete(oldest);
      this.#bytes -= oldest.content?.bytes.length ?? 0;
      oldest.content = undefined;
    }
  }
}
