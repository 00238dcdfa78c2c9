import fc from 'fast-check';
import { expand, expandPaths, parametersOf, parsePattern, type PatternPart } from '../../../src/framework';

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
