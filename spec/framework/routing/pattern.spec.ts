import fc from 'fast-check';
import {
  assemble,
  assembler,
  expand,
  expandPaths,
  parametersOf,
  parsePattern,
  type PatternPart,
} from '../../../src/framework';

const show = (parts: readonly PatternPart[]): string =>
  parts
    .map((part) => {
      if (part.kind === 'literal') return part.text;
      if (part.kind === 'optional') return `[${show(part.parts)}]`;
      return `:${part.name}${part.constraint === undefined ? '' : `(${part.constraint})`}`;
    })
    .join('');

describe('A route pattern', () => {
  it('has literals, parameters, constraints and optional parts', () => {
    expect(parsePattern('/docs/:api[-v:version(\\d+)]').parts).toEqual([
      { kind: 'literal', text: '/docs/', encoded: '/docs/' },
      { kind: 'parameter', name: 'api', constraint: undefined },
      {
        kind: 'optional',
        required: ['version'],
        names: ['version'],
        parts: [
          { kind: 'literal', text: '-v', encoded: '-v' },
          { kind: 'parameter', name: 'version', constraint: '\\d+' },
        ],
      },
    ]);
  });

  it('expands to paths in which each parameter is a colon', () => {
    expect(expandPaths('/books[/:isbn(\\d+)][/pages]')).toEqual([
      '/books',
      '/books/pages',
      '/books/:',
      '/books/:/pages',
    ]);
  });

  it('expands to every combination of its optional parts, shortest first', () => {
    expect(expand(parsePattern('/a[/b[/:c]][/d]')).map((parts) => show(parts))).toEqual([
      '/a',
      '/a/d',
      '/a/b',
      '/a/b/d',
      '/a/b/:c',
      '/a/b/:c/d',
    ]);
  });

  it('lists its parameters in order', () => {
    expect(parametersOf(parsePattern('[/v:version(\\d+)]/a/:b[/:c]').parts)).toEqual(['version', 'b', 'c']);
  });

  it.each([
    ['countries', 'must begin with "/"'],
    ['', 'must begin with "/"'],
    [':a', 'must begin with "/"'],
    ['/a[/:b', 'has a "[" without its "]"'],
    ['/a[/b[/c]', 'has a "[" without its "]"'],
    ['/a]', 'has a "]" without its "["'],
    ['/a/:', 'has a ":" without a parameter name'],
    ['/a/:1', 'has a ":" without a parameter name'],
    ['/a/:b/c/:b', 'has the parameter "b" twice'],
    ['/a/:b[/:b]', 'has the parameter "b" twice'],
    ['/a[/:__proto__]', 'has the parameter "__proto__"'],
    ['/a/:b(+)', 'has the parameter constraint "+", which is not a regular expression'],
    ['/a*', /has the reserved character "\*"\.$/],
    ['/a/:b?', 'has the reserved character "?". Write parameters as :id, and optional parts in brackets:'],
    ['/a/{b}', 'has the reserved character "{". Write parameters as :id, and optional parts in brackets:'],
    ['/a#b', /has the reserved character "#"\.$/],
    ['/a/:b((c|d))', 'has the reserved character "("'],
    ['/a(b)', 'has the reserved character "("'],
    ['/a/..', 'has the segment "..", which clients resolve'],
    ['/./a', 'has the segment "."'],
    ['/a/.[:b]', 'has the segment "."'],
    ['/a[/.[.]/b]', 'has the segment "."'],
    ['/:a:b', 'has the parameter "b" directly after "a"'],
    ['/:a:b[/:c]', 'has the parameter "b" directly after "a"'],
  ])('cannot be %j', (text, message) => {
    expect(() => parsePattern(text)).toThrow(message);
    expect(() => parsePattern(text)).toThrow(SyntaxError);
  });

  it.each([
    '/a/...',
    '/.a',
    '/a./b',
    '/a/:b.json',
    '/a/.:b',
    '/a/..b[/.c]',
    '/:a(\\d+):b',
    '/:a:b(\\d+)',
    '/:a[/:b]',
    '/:a[-x]:b',
  ])('can be %j', (text) => {
    expect(parsePattern(text).text).toBe(text);
  });

  it('is parsed completely or rejected with a SyntaxError, for any text', () => {
    const texts = fc.string({ unit: fc.constantFrom('/', '[', ']', ':', '(', ')', 'a', '1', '\\d+', '-') });
    fc.assert(
      fc.property(texts, (tail) => {
        const text = `/${tail}`;
        try {
          expect(show(parsePattern(text).parts)).toBe(text);
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
        }
      }),
    );
  });
});

describe('Assembling a path', () => {
  const pattern = parsePattern('[/v:version]/atlas/countries[/:country]');

  it('omits optional parts whose parameters are missing', () => {
    expect(assemble(pattern, {})).toBe('/atlas/countries');
    expect(assemble(pattern, { version: 2, country: 'DE' })).toBe('/v2/atlas/countries/DE');
  });

  it('keeps an optional part with its own parameters, without nested parts whose parameters are missing', () => {
    const pattern = parsePattern('/docs[/:api[-v:version(\\d+)][/:service]]');
    expect(assemble(pattern, { api: 'Atlas' })).toBe('/docs/Atlas');
    expect(assemble(pattern, { api: 'Atlas', version: 2 })).toBe('/docs/Atlas-v2');
    expect(assemble(pattern, { api: 'Atlas', service: 'Visit' })).toBe('/docs/Atlas/Visit');
    expect(assemble(pattern, { service: 'Visit' })).toBe('/docs');
  });

  it('omits an optional part if only some of its parameters are present', () => {
    expect(assemble(parsePattern('/a[/:b/:c]'), { b: 1 })).toBe('/a');
  });

  it('omits an optional part whose parameter has the name of an inherited member', () => {
    expect(assemble(parsePattern('/a[/:constructor]'), {})).toBe('/a');
    expect(() => assemble(parsePattern('/a/:toString'), {})).toThrow('requires the parameter "toString"');
  });

  it('accepts 0 as a value', () => {
    expect(assemble(pattern, { country: 0 })).toBe('/atlas/countries/0');
  });

  it('percent-encodes parameters', () => {
    expect(assemble(pattern, { country: 'a/b?c#d e%ü' })).toBe('/atlas/countries/a%2Fb%3Fc%23d%20e%25%C3%BC');
  });

  it('percent-encodes literals', () => {
    expect(assemble(parsePattern('/größe/:a'), { a: 1 })).toBe('/gr%C3%B6%C3%9Fe/1');
  });

  it('throws if a parameter is missing', () => {
    expect(() => assemble(parsePattern('/a/:b'), {})).toThrow(
      'The route "/a/:b" requires the parameter "b".',
    );
  });

  it('produces the same paths with a precomputed assembler', () => {
    const pattern = parsePattern('[/v:version]/authors/:author/books[/:book][/of]');
    const value = fc.oneof(
      fc.constantFrom('\0', 'a\0b', '', 'a b', '%00', 'ü'),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(value, value, fc.option(fc.nat()), (author, book, number) => {
        const others = number === null ? { author } : { author, version: number };
        expect(assembler(pattern, 'book', others)(book)).toBe(assemble(pattern, { ...others, book }));
      }),
    );
    expect(assembler(parsePattern('/a/:b'), 'c', { b: 1 })('x')).toBe('/a/1');
    expect(() => assembler(pattern, 'book', {})).toThrow('requires the parameter "author"');
  });
});
