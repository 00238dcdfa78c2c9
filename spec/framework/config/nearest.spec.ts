import fc from 'fast-check';
import { nearest } from '../../../src/framework';

describe('nearest', () => {
  it.each([
    ['prot', 'port'],
    ['Port', 'port'],
    ['hots', 'host'],
    ['base_ulr', 'base_url'],
    ['baseurl', 'base_url'],
  ])('takes %s for %s', (misspelt, meant) => {
    expect(nearest(misspelt, ['host', 'port', 'base_url'])).toBe(meant);
  });

  it.each(['colour', 'x', 'ssl_certificate', ''])('has no suggestion for %j', (name) => {
    expect(nearest(name, ['host', 'port', 'base_url'])).toBeUndefined();
  });

  it('takes the nearest of several', () => {
    expect(nearest('atlas-digests', ['atlas-basic', 'atlas-digest', 'digest'])).toBe('atlas-digest');
  });

  it('finds a name that is known exactly, and nothing among no names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (known) => {
        const [name = ''] = known;
        expect(nearest(name, known)?.toLowerCase()).toBe(name.toLowerCase());
        expect(nearest(name, [])).toBeUndefined();
      }),
    );
  });
});
