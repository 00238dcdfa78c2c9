import { isWatched, roleOf } from '../../../src/command-line/dev/relevant-files';

describe('The files that the command dev watches', () => {
  it.each([
    ['src/shop.js', 'runs'],
    ['shop.mjs', 'runs'],
    ['dist/shop.js', 'runs'],
    ['config/application.json', 'runs'],
    ['config/autoload/shop.global.json', 'runs'],
    ['templates/shop/page.svg', 'runs'],
    ['src/shop.ts', 'source'],
    ['config/autoload/local.json', 'reloads'],
  ])('%s %s', (file, role) => {
    expect(roleOf(file)).toBe(role);
  });

  it.each([
    'src/shop.test.js',
    'src/shop.test.ts',
    'dist/shop.js.map',
    'dist/shop.d.ts',
    'dist/.tsbuildinfo',
    'src/.shop.js.swp',
    'src/shop.js~',
    'src/4913',
    '.git/index.js',
    'node_modules/a/index.js',
    'src/node_modules/a/index.js',
    'data/shop.json',
    'package-lock.json',
    'README.md',
    'config/autoload/local.json.tmp',
  ])('%s has no effect', (file) => {
    expect(roleOf(file)).toBeUndefined();
  });

  it('are not in installed packages, hidden folders and data', () => {
    expect(['src', 'src/data', 'lib/node'].map(isWatched)).toEqual([true, true, true]);
    expect(
      ['node_modules', 'src/node_modules/a', '.git', 'src/.cache', 'data', 'data/x'].map(isWatched),
    ).toEqual([false, false, false, false, false, false]);
  });
});
