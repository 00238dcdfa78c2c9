import fc from 'fast-check';
import { mediaTypeOf, versionOf } from '../../../../src/modules/hosting/versions/version-of';

const none = { url: undefined, accept: undefined, contentType: undefined };
const version = fc.integer({ min: 1, max: 10_000 });
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.]{0,12}$/);

describe('the version that a request names', () => {
  it('is the one in the media type of an API, in any position and letter case', () => {
    fc.assert(
      fc.property(name, version, fc.boolean(), (api, number, upper) => {
        const type = upper ? mediaTypeOf(api, number).toUpperCase() : mediaTypeOf(api, number);
        expect(versionOf(api, { ...none, accept: `text/html, ${type};q=0.5, */*` })).toBe(number);
        expect(versionOf(api, { ...none, contentType: `${type}; charset=utf-8` })).toBe(number);
        expect(versionOf(api, { ...none, url: String(number), accept: type, contentType: type })).toBe(
          number,
        );
      }),
    );
  });

  it('must be the same in every source that names one', () => {
    fc.assert(
      fc.property(name, version, version, (api, one, other) => {
        fc.pre(one !== other);
        const [first, second] = [mediaTypeOf(api, one), mediaTypeOf(api, other)];
        for (const sources of [
          { ...none, url: String(one), accept: second },
          { ...none, url: String(one), contentType: second },
          { ...none, accept: first, contentType: second },
          { ...none, accept: `${first}, ${second}` },
        ]) {
          expect(() => versionOf(api, sources)).toThrow(`v${one}`);
        }
      }),
    );
  });

  it('is not in a quoted parameter', () => {
    const [first, second] = [mediaTypeOf('Shop', 1), mediaTypeOf('Shop', 2)];
    expect(versionOf('Shop', { ...none, accept: `text/html;title="a, ${first}, b"` })).toBeUndefined();
    expect(versionOf('Shop', { ...none, accept: `${second};title=";q=0;"` })).toBe(2);
  });

  it('is not one with q=0', () => {
    const [first, second] = [mediaTypeOf('Shop', 1), mediaTypeOf('Shop', 2)];
    expect(versionOf('Shop', { ...none, accept: `${first}; q=0, ${second}` })).toBe(2);
    expect(versionOf('Shop', { ...none, accept: `${first};Q=0.000` })).toBeUndefined();
    expect(versionOf('Shop', { ...none, accept: `${first};q=0.001` })).toBe(1);
  });

  it('is read from no other header, and no header breaks it', () => {
    fc.assert(
      fc.property(fc.string(), (field) => {
        fc.pre(!/vnd\.shop\.v\d+\+json/i.test(field));
        expect(versionOf('Shop', { ...none, accept: field, contentType: field })).toBeUndefined();
      }),
    );
  });

  it.each([
    'application/vnd.shop+json',
    'application/vnd.shop.v+json',
    'application/vnd.shop.vx+json',
    'application/vnd.shop.v1',
    'application/vnd.shop.v1+xml',
    'application/vnd.shop.v1+json-seq',
    'application/vnd.workshop.v1+json',
    'text/vnd.shop.v1+json',
    'application/json',
  ])('is not named by %s', (accept) => {
    expect(versionOf('Shop', { ...none, accept })).toBeUndefined();
  });

  it('does not match the type of another API with a common prefix', () => {
    expect(versionOf('Shop', { ...none, accept: 'application/vnd.shop.old.v1+json' })).toBeUndefined();
    expect(versionOf('Shop.old', { ...none, accept: 'application/vnd.shop.old.v1+json' })).toBe(1);
  });
});
