import fc from 'fast-check';
import { overlay } from '../../../../src/modules/hosting/definition/overlay';

describe('configuration merged over a declaration', () => {
  it('merges members, replaces everything else, and keeps what it does not mention', () => {
    const declared = { a: { b: 1, c: [1, 2] }, d: 'kept' };
    expect(overlay(declared, { a: { c: [3] }, e: true })).toEqual({
      a: { b: 1, c: [3] },
      d: 'kept',
      e: true,
    });
  });

  it('keeps what only code can contain: instances, functions and symbols', () => {
    class Resource {
      fetch = (): string => 'fetched';
    }
    const kind = Symbol('kind');
    const resource = new Resource();
    const handler = (): void => undefined;
    const merged = overlay({ resource, handler, [kind]: 'Object', x: { y: 1 } }, { x: { y: 2 } });
    expect(merged).toEqual({ resource, handler, [kind]: 'Object', x: { y: 2 } });
    expect(merged).toHaveProperty('resource', resource);
  });

  it('leaves the declaration unchanged', () => {
    const declared = { a: { b: 1 } };
    overlay(declared, { a: { b: 2 } });
    expect(declared).toEqual({ a: { b: 1 } });
  });

  it('contains every configured value, and is the declaration itself when nothing is configured', () => {
    fc.assert(
      fc.property(
        fc.object({ withNullPrototype: false }),
        fc.dictionary(fc.string(), fc.integer()),
        (declared, configured) => {
          fc.pre(!Object.hasOwn(configured, '__proto__') && !Object.hasOwn(declared, '__proto__'));
          expect(overlay(declared, configured)).toMatchObject(configured);
          expect(overlay(declared, {})).toEqual(declared);
        },
      ),
    );
  });
});
