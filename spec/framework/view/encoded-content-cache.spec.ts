import { ViewModel, type Renderer } from '../../../src/framework';
import { EncodedContent } from '../../../src/framework/http/encoded-content';
import { EncodedContentCache, type CacheEntry } from '../../../src/framework/view/encoded-content-cache';

const renderer: Renderer = { render: () => '' };

function placed(cache: EncodedContentCache, scope: object): CacheEntry {
  const place = cache.entryFor(new ViewModel(scope, { cacheScope: scope }), renderer);
  if (place === undefined) throw new Error('It is not kept.');
  return place;
}

function kept(cache: EncodedContentCache, scope: object, bytes: number): void {
  cache.store(placed(cache, scope), new EncodedContent('x'.repeat(bytes)));
}

const isKept = (cache: EncodedContentCache, scope: object): boolean =>
  placed(cache, scope).content !== undefined;

it('keeps what it is given, until there is too much: then what was not asked for the longest goes', () => {
  const cache = new EncodedContentCache(100);
  const [a, b, c] = [{}, {}, {}];
  kept(cache, a, 40);
  kept(cache, b, 40);
  expect(isKept(cache, a)).toBe(true);
  kept(cache, c, 40);
  expect([b, a, c].map((scope) => isKept(cache, scope))).toEqual([false, true, true]);
});

it('takes one that went again', () => {
  const cache = new EncodedContentCache(100);
  const [a, b] = [{}, {}];
  kept(cache, a, 60);
  kept(cache, b, 60);
  expect(isKept(cache, a)).toBe(false);
  kept(cache, a, 60);
  expect([a, b].map((scope) => isKept(cache, scope))).toEqual([true, false]);
});

it('counts what is kept anew at one place once', () => {
  const cache = new EncodedContentCache(100);
  const [a, b] = [{}, {}];
  kept(cache, a, 40);
  for (let count = 0; count < 5; count += 1) kept(cache, b, 50);
  expect([a, b].map((scope) => isKept(cache, scope))).toEqual([true, true]);
});

it('keeps what is larger than all that may be kept until the next comes', () => {
  const cache = new EncodedContentCache(100);
  const [a, b] = [{}, {}];
  kept(cache, a, 1000);
  expect(isKept(cache, a)).toBe(true);
  kept(cache, b, 10);
  expect([a, b].map((scope) => isKept(cache, scope))).toEqual([false, true]);
});
