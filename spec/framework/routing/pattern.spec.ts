import fc from 'fast-check';
import {
  assemble,
  assembler,
  expand,
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
        needed: ['version'],
        names: ['version'],
        parts: [
          { kind: 'literal', text: '-v', encoded: '-v' },
          { kind: 'parameter', name: 'version', constraint: '\\d+' },
        ],
      },
    ]);
  });

  it('stands for every combination of its optional parts, the shortest first', () => {
    expect(expand(parsePattern('/a[/b[/:c]][/d]')).map((parts) => show(parts))).toEqual([
      '/a',
      '/a/d',
      '/a/b',
      '/a/b/d',
      '/a/b/:c',
      '/a/b/:c/d',
    ]);
  });

  it('knows its parameters in their order', () => {
    expect(parametersOf(parsePattern('[/v:version(\\d+)]/a/:b[/:c]').parts)).toEqual(['version', 'b', 'c']);
  });

  it.each([
    ['countries', 'must begin with "/"'],
    ['', 'must begin with "/"'],
    [':a', 'must begin with "/"'],
    ['/a[/:b', 'has a "[" without its "]"'],
    ['/a[/b[/c]', 'has a "[" without its "]"'],
    ['/a]', 'has a "]" without its "["'],
    ['/a/:', 'has a ":" without a name behind it'],
    ['/a/:1', 'has a ":" without a name behind it'],
    ['/a/:b/c/:b', 'has the parameter "b" twice'],
    ['/a/:b[/:b]', 'has the parameter "b" twice'],
    ['/a/:b(+)', 'narrows a parameter by "+", which is no regular expression'],
    ['/a*', 'has a "*", which cannot stand for itself'],
    ['/a/:b?', 'has a "?", which cannot stand for itself'],
    ['/a#b', 'has a "#", which cannot stand for itself'],
    ['/a/:b((c|d))', 'has a "(", which cannot stand for itself'],
    ['/a(b)', 'has a "(", which cannot stand for itself'],
    ['/a/..', 'has the segment "..", which no client sends'],
    ['/./a', 'has the segment "."'],
    ['/a/.[:b]', 'has the segment "."'],
    ['/a[/.[.]/b]', 'has the segment "."'],
  ])('cannot be %j', (text, message) => {
    expect(() => parsePattern(text)).toThrow(message);
    expect(() => parsePattern(text)).toThrow(SyntaxError);
  });

  it.each(['/a/...', '/.a', '/a./b', '/a/:b.json', '/a/.:b', '/a/..b[/.c]'])('may be %j', (text) => {
    expect(parsePattern(text).text).toBe(text);
  });

  it('is either read whole or refused as a SyntaxError, whatever its text', () => {
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

  it('leaves out optional parts whose parameters are not given', () => {
    expect(assemble(pattern, {})).toBe('/atlas/countries');
    expect(assemble(pattern, { version: 2, country: 'DE' })).toBe('/v2/atlas/countries/DE');
  });

  it('keeps an optional part whose own parameters are given, without those inside that are not', () => {
    const pattern = parsePattern('/docs[/:api[-v:version(\\d+)][/:service]]');
    expect(assemble(pattern, { api: 'Atlas' })).toBe('/docs/Atlas');
    expect(assemble(pattern, { api: 'Atlas', version: 2 })).toBe('/docs/Atlas-v2');
    expect(assemble(pattern, { api: 'Atlas', service: 'Visit' })).toBe('/docs/Atlas/Visit');
    expect(assemble(pattern, { service: 'Visit' })).toBe('/docs');
  });

  it('leaves out an optional part of which only some parameters are given', () => {
    expect(assemble(parsePattern('/a[/:b/:c]'), { b: 1 })).toBe('/a');
  });

  it('takes 0 for a value', () => {
    expect(assemble(pattern, { country: 0 })).toBe('/atlas/countries/0');
  });

  it('percent-encodes parameters', () => {
    expect(assemble(pattern, { country: 'a/b?c#d e%ü' })).toBe('/atlas/countries/a%2Fb%3Fc%23d%20e%25%C3%BC');
  });

  it('percent-encodes what stands in the pattern and cannot stand in a path', () => {
    expect(assemble(parsePattern('/größe/:a'), { a: 1 })).toBe('/gr%C3%B6%C3%9Fe/1');
  });

  it('is an error when a parameter is missing', () => {
    expect(() => assemble(parsePattern('/a/:b'), {})).toThrow('The route "/a/:b" needs the parameter "b".');
  });

  it('are the same when many are made that differ in one parameter, whatever the others hold', () => {
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
    expect(() => assembler(pattern, 'book', {})).toThrow('needs the parameter "author"');
  });
});
