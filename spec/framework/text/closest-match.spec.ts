import fc from 'fast-check';
import { closestMatch } from '../../../src/framework';
import { editDistance } from '../../../src/framework/text/closest-match';
import { growthOf } from '../../factories/measure/cpu-time';

describe('closestMatch()', () => {
  it.each([
    ['prot', 'port'],
    ['Port', 'port'],
    ['hots', 'host'],
    ['base_ulr', 'base_url'],
    ['baseurl', 'base_url'],
  ])('suggests for %s: %s', (misspelled, expected) => {
    expect(closestMatch(misspelled, ['host', 'port', 'base_url'])).toBe(expected);
  });

  it.each(['colour', 'x', 'ssl_certificate', ''])('has no suggestion for %j', (name) => {
    expect(closestMatch(name, ['host', 'port', 'base_url'])).toBeUndefined();
  });

  it('returns the closest of several', () => {
    expect(closestMatch('atlas-digests', ['atlas-basic', 'atlas-digest', 'digest'])).toBe('atlas-digest');
  });

  it('finds exact matches, and nothing without names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (known) => {
        const [name = ''] = known;
        expect(closestMatch(name, known)?.toLowerCase()).toBe(name.toLowerCase());
        expect(closestMatch(name, [])).toBeUndefined();
      }),
    );
  });

  it('does not suggest names because of characters beyond the basic plane', () => {
    expect(closestMatch('prot', ['café😀', 'port'])).toBe('port');
    expect(closestMatch('prot', ['café😀'])).toBeUndefined();
    expect(closestMatch('cafe😀', ['café😀'])).toBe('café😀');
  });

  it('returns the first of the closest names', () => {
    const names = fc.string({ unit: fc.constantFrom('a', 'b', 'C', '😀'), maxLength: 9 });
    fc.assert(
      fc.property(names, fc.array(names), (name, known) => {
        const limit = Math.floor(Array.from(name).length / 3) + 1;
        const distances = known.map((one) => editDistance(name.toLowerCase(), one.toLowerCase()));
        const least = Math.min(...distances);
        expect(closestMatch(name, known)).toBe(least <= limit ? known[distances.indexOf(least)] : undefined);
      }),
    );
  });

  it('does not compare a long name with short ones', () => {
    const known = Array.from({ length: 50 }, (_, at) => `service-${at}`);
    expect(growthOf((size) => closestMatch('x'.repeat(size), known), 10, 1_000)).toBeLessThan(20);
  });
});
