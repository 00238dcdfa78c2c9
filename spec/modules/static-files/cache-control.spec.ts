import { cacheControlOf } from '../../../src/modules/static-files/cache-control';

const FOREVER = 'public, max-age=31536000, immutable';

describe('Cache-Control of files', () => {
  it('lets clients ask each time by default', () => {
    const of = cacheControlOf({ maxAge: 0, immutable: [], isPrivate: false });
    expect(['index.html', 'assets/app-1f9c2a.js'].map(of)).toEqual(['no-cache', 'no-cache']);
  });

  it('lets clients keep files of folders and patterns, and never HTML', () => {
    const of = cacheControlOf({
      maxAge: 60,
      immutable: ['/assets/', '*.????????.js'],
      isPrivate: false,
    });
    expect(of('assets/a/b.woff2')).toBe(FOREVER);
    expect(of('main.3f9c2a1b.js')).toBe(FOREVER);
    expect(of('main.3f9c2a1.js')).toBe('public, max-age=60');
    expect(of('sub/main.3f9c2a1b.js')).toBe('public, max-age=60');
    expect(of('main.3f9c2a1b.js.map')).toBe('public, max-age=60');
    expect(['assets/page.html', 'A.HTM', 'a.html.gz'].map(of)).toEqual([
      'no-cache',
      'no-cache',
      'public, max-age=60',
    ]);
  });

  it('takes a slash before a path for that of the folder, and stars for parts of names', () => {
    const of = cacheControlOf({
      maxAge: 1,
      immutable: ['assets/', '/a.js', 'sub/b.js', '*-*.js'],
      isPrivate: false,
    });
    expect(['assets/a', 'a.js', 'sub/b.js', 'a-b.js'].map(of)).toEqual(Array(4).fill(FOREVER));
    expect(['a.js.map', 'b.js'].map(of)).toEqual(Array(2).fill('public, max-age=1'));
  });

  it('takes the other characters of a pattern literally', () => {
    const of = cacheControlOf({ maxAge: 0, immutable: ['a+(b)[c].js'], isPrivate: false });
    expect(of('a+(b)[c].js')).toBe(FOREVER);
    expect(of('aab.js')).toBe('no-cache');
  });

  it('keeps files for some users out of shared caches', () => {
    const of = cacheControlOf({ maxAge: 60, immutable: ['a.js'], isPrivate: true });
    expect(['a.js', 'b.js', 'c.html'].map(of)).toEqual([
      'private, max-age=31536000, immutable',
      'private, max-age=60',
      'private, no-cache',
    ]);
    expect(cacheControlOf({ maxAge: 0, immutable: [], isPrivate: true })('a.js')).toBe('private, no-cache');
  });
});
