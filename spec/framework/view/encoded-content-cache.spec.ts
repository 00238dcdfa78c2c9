import { ViewModel, type Renderer } from '../../../src/framework';
import { EncodedContent } from '../../../src/framework/http/encoded-content';
import { EncodedContentCache, type CacheEntry } from '../../../src/framework/view/encoded-content-cache';

const renderer: Renderer = { render: () => '' };

function entryOf(cache: EncodedContentCache, scope: object): CacheEntry {
  const entry = cache.entryFor(new ViewModel(scope, { cacheScope: scope }), renderer);
  if (entry === undefined) throw new Error('The model is not cacheable.');
  return entry;
}

function store(cache: EncodedContentCache, scope: object, bytes: number): void {
  cache.store(entryOf(cache, scope), new EncodedContent('x'.repeat(bytes)));
}

const isCached = (cache: EncodedContentCache, scope: object): boolean =>
  entryOf(cache, scope).content !== undefined;

it('evicts the least recently used content', () => {
  const cache = new EncodedContentCache(100);
  const [a, b, c] = [{}, {}, {}];
  store(cache, a, 40);
  store(cache, b, 40);
  expect(isCached(cache, a)).toBe(true);
  store(cache, c, 40);
  expect([b, a, c].map((scope) => isCached(cache, scope))).toEqual([false, true, true]);
});

it('stores evicted content again', () => {
  const cache = new EncodedContentCache(100);
  const [a, b] = [{}, {}];
  store(cache, a, 60);
  store(cache, b, 60);
  expect(isCached(cache, a)).toBe(false);
  store(cache, a, 60);
  expect([a, b].map((scope) => isCached(cache, scope))).toEqual([true, false]);
});

it('counts replaced content once', () => {
  const cache = new EncodedContentCache(100);
  const [a, b] = [{}, {}];
  store(cache, a, 40);
  for (let count = 0; count < 5; count += 1) store(cache, b, 50);
  expect([a, b].map((scope) => isCached(cache, scope))).toEqual([true, true]);
});

it('keeps content larger than the maximum until the next is stored', () => {
  const cache = new EncodedContentCache(100);
  const [a, b] = [{}, {}];
  store(cache, a, 1000);
  expect(isCached(cache, a)).toBe(true);
  store(cache, b, 10);
  expect([a, b].map((scope) => isCached(cache, scope))).toEqual([false, true]);
});
