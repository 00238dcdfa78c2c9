import fc from 'fast-check';
import { closestMatch } from '../../../src/framework';

describe('nearest', () => {
  it.each([
    ['prot', 'port'],
    ['Port', 'port'],
    ['hots', 'host'],
    ['base_ulr', 'base_url'],
    ['baseurl', 'base_url'],
  ])('takes %s for %s', (misspelt, meant) => {
    expect(closestMatch(misspelt, ['host', 'port', 'base_url'])).toBe(meant);
  });

  it.each(['colour', 'x', 'ssl_certificate', ''])('has no suggestion for %j', (name) => {
    expect(closestMatch(name, ['host', 'port', 'base_url'])).toBeUndefined();
  });

  it('takes the nearest of several', () => {
    expect(closestMatch('atlas-digests', ['atlas-basic', 'atlas-digest', 'digest'])).toBe('atlas-digest');
  });

  it('finds a name that is known exactly, and nothing among no names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (known) => {
        const [name = ''] = known;
        expect(closestMatch(name, known)?.toLowerCase()).toBe(name.toLowerCase());
        expect(closestMatch(name, [])).toBeUndefined();
      }),
    );
  });
});
