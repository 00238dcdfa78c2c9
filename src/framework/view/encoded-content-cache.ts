import type { Renderer } from './renderer';
import type { EncodedContent } from '../http/encoded-content';
import type { ViewModel } from './view-model';

/** A cache entry: its key (renderer, class of the view model, template, media type) and its content. */
export interface CacheEntry {
  readonly renderer: Renderer;
  readonly viewModel: unknown;
  readonly template: string | undefined;
  readonly mediaType: string | undefined;
  /** The cache's clock at the last use. */
  usedAt: number;
  /** Undefined until it is rendered, and after it was evicted. */
  content: EncodedContent | undefined;
  /** The rendering in progress, shared by concurrent requests. */
  rendering: PromiseLike<string | Buffer> | undefined;
}

/** Maximum bytes of cached content. Compressed variants are not counted: they add 10 to 20 percent. */
const MAX_BYTES = 96 * 1_048_576;

/** Caches rendered content that never changes. Beyond the maximum size, the least recently used content is evicted. */
export class EncodedContentCache {
  readonly #entries = new WeakMap<object, CacheEntry[]>();
  /** Entries with content. */
  readonly #filled = new Set<CacheEntry>();
  readonly #maxBytes: number;
  #bytes = 0;
  #clock = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the entry for rendering a model; undefined if the model is not cacheable. */
  entryFor(model: ViewModel, renderer: Renderer): CacheEntry | undefined {
    const { cacheScope: scope, template, mediaType } = model;
    if (scope === undefined) return undefined;
    const entries = this.#entries.get(scope);
    if (entries !== undefined) {
      for (const entry of entries) {
        if (
          entry.renderer === renderer &&
          entry.viewModel === model.constructor &&
          entry.template === template &&
          entry.mediaType === mediaType
        ) {
          entry.usedAt = ++this.#clock;
          return entry;
        }
      }
    }
    const added: CacheEntry = {
      renderer,
      viewModel: model.constructor,
      template,
      mediaType,
      usedAt: ++this.#clock,
      content: undefined,
      rendering: undefined,
    };
    if (entries === undefined) this.#entries.set(scope, [added]);
    else entries.push(added);
    return added;
  }

  /** Stores content, and evicts older entries. Content larger than the maximum stays until the next call. */
  store(entry: CacheEntry, content: EncodedContent): EncodedContent {
    this.#bytes += content.bytes.length - (entry.content?.bytes.length ?? 0);
    entry.content = content;
    entry.usedAt = ++this.#clock;
    this.#filled.add(entry);
    if (this.#bytes > this.#maxBytes) this.#evict(entry);
    return content;
  }

  /** Sorts on eviction instead of maintaining an order: rendering costs more than sorting. */
  #evict(newest: CacheEntry): void {
    for (const oldest of [...this.#filled].sort((a, b) => a.usedAt - b.usedAt)) {
      if (this.#bytes <= this.#maxBytes || oldest === newest) break;
      this.#filled.delete(oldest);
      this.#bytes -= oldest.content?.bytes.length ?? 0;
      oldest.content = undefined;
    }
  }
}
