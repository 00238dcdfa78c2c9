import fc from 'fast-check';
import { closestMatch } from '../../../src/framework';

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
});
