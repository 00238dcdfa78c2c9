import fc from 'fast-check';
import { Router, ConfigurationError } from '../../../src/framework';

function routerOf(patterns: Readonly<Record<string, string>>, base = ''): Router<string> {
  const router = new Router<string>(base);
  for (const [name, pattern] of Object.entries(patterns)) router.add(name, pattern, name);
  return router;
}

/** Returns the name and the parameters of the matching route. */
function found(router: Router<string>, path: string): unknown {
  const match = router.match(path);
  return match === undefined ? undefined : [match.route.name, { ...match.parameters }];
}

describe('A route with optional segments', () => {
  const router = routerOf({
    country: '[/v:version(\\d+)]/atlas/countries[/:code]',
    distance: '/atlas/distance',
  });

  it.each([
    ['/atlas/countries', ['country', {}]],
    ['/atlas/countries/DE', ['country', { code: 'DE' }]],
    ['/v2/atlas/countries', ['country', { version: '2' }]],
    ['/v12/atlas/countries/DE', ['country', { version: '12', code: 'DE' }]],
    ['/atlas/distance', ['distance', {}]],
    ['/atlas/countries/0', ['country', { code: '0' }]],
  ])('matches %s', (path, expected) => {
    expect(found(router, path)).toEqual(expected);
  });

  it.each([
    ['/', 'another path'],
    ['/atlas/countries/', 'an empty parameter'],
    ['/atlas/countries/DE/', 'a trailing slash'],
    ['/atlas/distance/', 'a trailing slash after a literal'],
    ['/atlas/countries/DE/x', 'an additional segment'],
    ['/v/atlas/countries', 'a version without a number'],
    ['/vx/atlas/countries', 'a version that is not a number'],
    ['/v2x/atlas/countries', 'a version with letters after its number'],
    ['//atlas/countries', 'a doubled slash'],
    ['/Atlas/countries', 'another letter case'],
    ['*', 'the asterisk'],
    ['', 'nothing'],
  ])('does not match %s: %s', (path) => {
    expect(found(router, path)).toBeUndefined();
  });
});

describe('A route at the root', () => {
  const router = routerOf({ root: '/', named: '/:name' });

  it('matches the path "/" only', () => {
    expect(found(router, '/')).toEqual(['root', {}]);
    for (const path of ['*', '', '//']) expect([path, router.match(path)]).toEqual([path, undefined]);
  });
});

describe('A route with several parameters in one segment', () => {
  const router = routerOf({ documentation: '/documentation[/:api[-v:version(\\d+)][/:service]]' });

  it.each([
    ['/documentation', {}],
    ['/documentation/Atlas', { api: 'Atlas' }],
    ['/documentation/Atlas-v2', { api: 'Atlas', version: '2' }],
    ['/documentation/Atlas/Country', { api: 'Atlas', service: 'Country' }],
    ['/documentation/Atlas-v2/Country', { api: 'Atlas', version: '2', service: 'Country' }],
    ['/documentation/my-video', { api: 'my-video' }],
    ['/documentation/my-video/Country', { api: 'my-video', service: 'Country' }],
    ['/documentation/my-video-v3', { api: 'my-video', version: '3' }],
    ['/documentation/Atlas-v', { api: 'Atlas-v' }],
    ['/documentation/Atlas-v2x', { api: 'Atlas-v2x' }],
  ])('matches %s', (path, parameters) => {
    expect(found(router, path)).toEqual(['documentation', parameters]);
  });

  it('does not match an API without a name', () => {
    expect(found(router, '/documentation/')).toBeUndefined();
    expect(found(router, '/documentation/-v2')).not.toEqual(['documentation', { api: '', version: '2' }]);
  });
});

describe('A route with literal text around parameters', () => {
  const router = routerOf({
    pair: '/pairs/:one,:other',
    range: '/ranges/:from(^\\d+$)-:to(^\\d+$)',
    percent: '/100%/:x',
    rate: '/rates/:rate(\\d+)%',
    optional: '/optional/:a[:b]',
    leading: '/leading[:a]:b',
    nested: '/nested[/:a:b]',
  });

  it.each([
    ['/pairs/a,b', ['pair', { one: 'a', other: 'b' }]],
    ['/ranges/1-20', ['range', { from: '1', to: '20' }]],
    ['/100%25/a', ['percent', { x: 'a' }]],
    ['/rates/5%25', ['rate', { rate: '5' }]],
    ['/optional/foo', ['optional', { a: 'foo' }]],
    ['/leading5', ['leading', { b: '5' }]],
    ['/nested', ['nested', {}]],
  ])('matches %s', (path, expected) => {
    expect(found(router, path)).toEqual(expected);
  });

  it('does not match a parameter with more than its constraint', () => {
    expect(found(router, '/ranges/1-2x')).toBeUndefined();
  });
});

describe('Routes that differ in the constraint of a parameter', () => {
  it('match in the order of their declaration', () => {
    const router = routerOf({ number: '/a/:x(\\d+)', word: '/a/:x([a-z\\d]+)', any: '/a/:x' });
    expect(found(router, '/a/1')).toEqual(['number', { x: '1' }]);
    expect(found(router, '/a/b1')).toEqual(['word', { x: 'b1' }]);
    expect(found(router, '/a/B')).toEqual(['any', { x: 'B' }]);
  });
});

describe('Routes that differ in the text after a parameter', () => {
  it.each([
    ['/:file.gz', '/:file.txt', '/:file.tar.gz'],
    ['/:file.tar.gz', '/:file.txt', '/:file.gz'],
    ['/:file.txt', '/:file.gz', '/:file.tar.gz'],
    ['/:file', '/:file.gz', '/:file.txt', '/:file.tar.gz'],
  ])('match by the longest text, in every order of declaration: %s, %s, %s', (...patterns) => {
    const router = routerOf(Object.fromEntries(patterns.map((pattern) => [pattern, pattern])));
    expect(found(router, '/a.tar.gz')).toEqual(['/:file.tar.gz', { file: 'a' }]);
    expect(found(router, '/a.gz')).toEqual(['/:file.gz', { file: 'a' }]);
    expect(found(router, '/a.txt')).toEqual(['/:file.txt', { file: 'a' }]);
  });
});

describe('A route whose parameter would be empty', () => {
  it.each([
    ['/files/.env', { file: '/files/:name', typed: '/files/:name.:ext' }, ['file', { name: '.env' }]],
    ['/files/foo.', { file: '/files/:name', typed: '/files/:name.:ext' }, ['file', { name: 'foo.' }]],
    ['/files/a.b', { file: '/files/:name', typed: '/files/:name.:ext' }, ['typed', { name: 'a', ext: 'b' }]],
    ['/users/@', { handle: '/users/@:handle', user: '/users/:id' }, ['user', { id: '@' }]],
    ['/a//b', { plain: '/a/:x/b', deep: '/a/:x/:y' }, undefined],
    ['/n', { number: '/n:n(\\d*)', any: '/:name' }, ['any', { name: 'n' }]],
  ])('does not hide another one that matches %s', (path, patterns, expected) => {
    expect(found(routerOf(patterns), path)).toEqual(expected);
  });
});

describe('Routes under a base path', () => {
  const router = routerOf({ home: '/home[/:room]' }, '/gateway');

  it('match with it, not without it, and are assembled with it', () => {
    expect(found(router, '/gateway/home/1')).toEqual(['home', { room: '1' }]);
    expect(found(router, '/home/1')).toBeUndefined();
    expect(router.assemble('home', { room: 1 })).toBe('/gateway/home/1');
    expect(router.base).toBe('/gateway');
  });
});

describe('Routes conflict', () => {
  it('if they have the same name', () => {
    expect(() => {
      const router = routerOf({ a: '/a' });
      router.add('a', '/b', 'b');
    }).toThrow(new ConfigurationError('Two routes have the name "a".'));
  });

  it.each([
    ['/a/:x', '/a/:y'],
    ['/a', '/a[/:x]'],
    ['/a[/b]', '/a/b'],
    ['/a/:x(\\d+)', '/a/:y(\\d+)'],
  ])('if they match the same paths: %s and %s', (one, other) => {
    expect(() => routerOf({ one, other })).toThrow(
      `The routes "one" (${one}) and "other" (${other}) match the same paths.`,
    );
  });

  it.each([
    ['/a/b', '/a/b'],
    ['/x[/a/b]', undefined],
    ['/a[/b]', '/a/b'],
    ['/c/:y', '/c/:x'],
    ['/c/:y(\\d+)', undefined],
    ['/d/n:y(\\d+)', '/d/n:x(\\d+)'],
    ['/d/m:y(\\d+)', undefined],
    ['/d/n:y(\\w+)', undefined],
    ['/d', undefined],
    ['/e/f', undefined],
    ['/100%/:y', '/100%/:x'],
  ])('which is known of %s before it is added: %s', (pattern, conflict) => {
    const router = routerOf({ a: '/a/b', c: '/c/:x', d: '/d/n:x(\\d+)', e: '/e/f/:x', f: '/100%/:x' });
    expect(router.findConflict(pattern)?.pattern.text).toBe(conflict);
  });

  it('but not a literal with a parameter: the literal wins', () => {
    const router = routerOf({ any: '/a/:x', one: '/a/b' });
    expect(found(router, '/a/b')).toEqual(['one', {}]);
    expect(found(router, '/a/c')).toEqual(['any', { x: 'c' }]);
  });
});

describe.each(['', '/gateway'])('Routes for all paths below a path, with the base path "%s"', (base) => {
  const router = routerOf({ page: '/app/page' }, base);
  router.addBelow('app', '/app', 'app');
  router.addBelow('deep', '/app/deep', 'deep');
  router.addBelow('all', '', 'all');

  it.each([
    ['/app/page', 'page'],
    ['/app', 'app'],
    ['/app/', 'app'],
    ['/%61pp/page/x', 'app'],
    ['/app/deep', 'deep'],
    ['/app/deep/x/y', 'deep'],
    ['/app/deeper', 'app'],
    ['/application', 'all'],
    ['/', 'all'],
  ])('match %s, if no other route does, by the longest path', (path, name) => {
    expect(found(router, base + path)).toEqual([name, {}]);
  });

  it('are less specific than patterns, and more the longer their path', () => {
    const paths = ['/app/page', '/app/deep/x', '/app/x', '/x'].map((path) => router.specificity(base + path));
    expect([...paths].sort((one, other) => other - one)).toEqual(paths);
    expect(new Set(paths).size).toBe(4);
    expect(router.specificity('/%ff')).toBe(0);
    expect(new Router<string>(base).specificity(`${base}/x`)).toBe(0);
  });

  it('have names and paths of their own', () => {
    expect(() => router.addBelow('page', '/x', 'x')).toThrow('Two routes have the name "page".');
    expect(() => router.addBelow('x', '/app', 'x')).toThrow('Two routes match all paths below "/app".');
    expect(found(router, `${base}/x`)).toEqual(['all', {}]);
    expect(() => router.add('app', '/y', 'y')).toThrow('Two routes have the name "app".');
  });
});

describe('A route with an invalid pattern', () => {
  it('is named in the error', () => {
    expect(() => routerOf({ shop: 'shop' })).toThrow(
      new ConfigurationError('The route "shop": The route "shop" must begin with "/".'),
    );
  });
});

describe('Assembling the path of a named route', () => {
  const router = routerOf({ page: '/pages/:section/:page', search: '/search[/:word]' });

  it('throws for an unknown name', () => {
    expect(() => router.assemble('pgae')).toThrow('Route "pgae" does not exist.');
  });

  it('produces a path that matches with the same parameters, for any values', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(text, text, (section, page) => {
        const path = router.assemble('page', { section, page });
        expect(path).toMatch(/^\/pages\/[\x21-\x7e]+\/[\x21-\x7e]+$/);
        expect(found(router, path)).toEqual(['page', { section, page }]);
      }),
      { numRuns: 500 },
    );
  });

  it('produces a path that matches with the same value even if that looks percent-encoded', () => {
    for (const word of [
      '%',
      '%25',
      '%2F',
      '%252F',
      '100%',
      '%zz',
      '%c3%28',
      'a+b',
      '..',
      '.',
      '*',
      ':x',
      '[/y]',
    ]) {
      expect(found(router, router.assemble('search', { word }))).toEqual(['search', { word }]);
    }
  });
});

describe('Routes that are added later', () => {
  /** A router with a route to be added, and how often it was asked to. */
  const later = (base = ''): { readonly router: Router<string>; readonly add: jest.Mock } => {
    const router = new Router<string>(base);
    const add = jest.fn(() => void router.add('thing', '/later[/:id]', 'thing'));
    router.addLater({ path: '/later', names: 'thing' }, add);
    return { router, add };
  };

  it.each(['/laterally', '/', '/late', '*', '/x/later'])('are not added to match %s', (path) => {
    const { router, add } = later();
    expect(found(router, path)).toBeUndefined();
    expect(add).not.toHaveBeenCalled();
  });

  it.each(['/later', '/later/1', '/l%61ter/1', '/later/1/2', '/later/'])(
    'are added once to match %s',
    (path) => {
      const { router, add } = later();
      const expected = found(routerOf({ thing: '/later[/:id]' }), path);
      expect([found(router, path), found(router, path)]).toEqual([expected, expected]);
      expect(add).toHaveBeenCalledTimes(1);
    },
  );

  it('are found below a base with characters that clients encode', () => {
    const { router } = later('/größe 100%');
    expect(found(router, '/gr%c3%b6%C3%9Fe%20100%25/%6Cater/1')).toEqual(['thing', { id: '1' }]);
  });

  it('conflict with others, whichever is first', () => {
    const { router } = later();
    expect(() => router.add('other', '/later/:name', 'other')).toThrow(
      /"thing" .* and "other" .* match the same/,
    );
    const reverse = routerOf({ other: '/later/:name' });
    expect(() =>
      reverse.addLater(
        { path: '/later', names: 'thing' },
        () => void reverse.add('thing', '/later[/:id]', 'thing'),
      ),
    ).toThrow(/"other" .* and "thing" .* match the same/);
    expect(later().router.findConflict('/later')?.name).toBe('thing');
  });

  it('have names that others cannot have, whichever is first', () => {
    expect(() => later().router.add('thing', '/other', 'other')).toThrow('Two routes have the name "thing".');
    expect(() => later().router.addBelow('thing', '/other', 'other')).toThrow(
      'Two routes have the name "thing".',
    );
    const reverse = routerOf({ thing: '/other' });
    expect(() =>
      reverse.addLater({ path: '/later', names: 'thi' }, () => void reverse.add('thing', '/later', 'thing')),
    ).toThrow('Two routes have the name "thing".');
  });

  it.each([
    ['/later', '/later/inner'],
    ['/later/inner', '/later'],
  ])('are added once if others are added below the same path: %s before %s', (...paths) => {
    const router = new Router<string>();
    for (const path of paths)
      router.addLater({ path, names: `${path}:` }, () => void router.add(`${path}:`, `${path}/thing`, path));
    expect(found(router, '/later/inner/thing')).toEqual(['/later/inner:', {}]);
    expect(found(router, '/later/thing')).toEqual(['/later:', {}]);
  });

  it('are found by their names, and listed with others', () => {
    expect(later('/base').router.assemble('thing', { id: 1 })).toBe('/base/later/1');
    expect(later().router.has('thing')).toBe(true);
    expect(later().router.routes.map(({ name }) => name)).toEqual(['thing']);
    const { router, add } = later();
    expect(router.has('other')).toBe(false);
    expect(add).not.toHaveBeenCalled();
  });

  it('are added again after they have failed', () => {
    const router = new Router<string>();
    let isBroken = true;
    router.addLater({ path: '/later', names: 'thing' }, () => {
      if (isBroken) throw new Error('Broken.');
      router.add('thing', '/later', 'thing');
    });
    expect(() => router.match('/later')).toThrow('Broken.');
    isBroken = false;
    expect(found(router, '/later')).toEqual(['thing', {}]);
  });

  it('without a common path are added at once', () => {
    const router = new Router<string>();
    router.addLater({ path: '', names: 'thing' }, () => void router.add('thing', '/later', 'thing'));
    expect(found(router, '/later')).toEqual(['thing', {}]);
  });
});
