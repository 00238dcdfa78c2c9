import type { Renderer } from './renderer';
import type { EncodedContent } from '../http/encoded-content';
import type { ViewModel, ViewModelClass } from './view-model';

/** The key of rendered content, for any renderer. */
export interface CacheKey {
  /** The content, or another object that the rendering depends on. */
  readonly scope: object;
  readonly viewModel: ViewModelClass;
  readonly template: string | undefined;
  readonly mediaType: string | undefined;
}

/** The rendering of a model by a renderer. */
export interface CacheEntry {
  readonly renderer: Renderer;
  readonly model: ViewModel;
  /** The cache's clock at the last use. */
  usedAt: number;
  /** Undefined until it is rendered, and after it was evicted. */
  content: EncodedContent | undefined;
  contentType: string | undefined;
  /** The revision of the view's listeners at rendering. */
  revision: number;
  /** The rendering in progress, shared by concurrent requests. */
  rendering: PromiseLike<string | Buffer> | undefined;
}

/** How often cached renderings were used since the process started: survives reloads. */
export class RenderingCounts {
  /** Responses with content that was rendered before, or is being rendered for another request. */
  hits = 0;
  /** Renderings of cacheable content. */
  misses = 0;
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

  /** Of the cached content. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the entry of a renderer and a model; undefined if the model is not cacheable. */
  entryFor(model: ViewModel, renderer: Renderer): CacheEntry | undefined {
    const { cacheScope: scope, template, mediaType } = model;
    if (scope === undefined) return undefined;
    const key = { scope, viewModel: model.constructor, template, mediaType };
    const known = this.#find(key, (entry) => entry.renderer === renderer);
    if (known !== undefined) return known;
    const added: CacheEntry = {
      renderer,
      model,
      usedAt: ++this.#clock,
      content: undefined,
      contentType: undefined,
      revision: -1,
      rendering: undefined,
    };
    const entries = this.#entries.get(scope);
    if (entries === undefined) this.#entries.set(scope, [added]);
    else entries.push(added);
    return added;
  }

  /** Returns the entry that was rendered with the current listeners of the view, if it exists. */
  rendered(key: CacheKey, revision: number): CacheEntry | undefined {
    return this.#find(key, (entry) => entry.revision === revision && entry.content !== undefined);
  }

  #find(
    { scope, viewModel, template, mediaType }: Omit<CacheKey, 'viewModel'> & { readonly viewModel: unknown },
    accepts: (entry: CacheEntry) => boolean,
  ): CacheEntry | undefined {
    for (const entry of this.#entries.get(scope) ?? []) {
      const { model } = entry;
      if (
        model.constructor === viewModel &&
        model.template === template &&
        model.mediaType === mediaType &&
        accepts(entry)
      ) {
        entry.usedAt = ++this.#clock;
        return entry;
      }
    }
    return undefined;
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
