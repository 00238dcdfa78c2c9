import fc from 'fast-check';
import { assemble, assembler, parsePattern } from '../../../src/framework';

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
