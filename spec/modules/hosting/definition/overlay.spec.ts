import fc from 'fast-check';
import { overlay, withoutNulls } from '../../../../src/modules/hosting/definition/overlay';

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

it.each(['input', 'query', 'schemas', 'services', 'Thing'])(
  'keeps the null by which configuration removes an operation of a service named %s',
  (name) => {
    const shop = (POST: unknown) => ({
      Shop: { versions: { 2: { services: { [name]: { collection: { POST } } } } } },
    });
    expect(overlay(shop({ summary: 'Adds one' }), shop(null), 'definitions')).toEqual(shop(null));
  },
);

describe('withoutNulls', () => {
  const servicesOf = (services: object): object => ({ versions: { 1: { services } } });

  it('removes the members that are null, also of a service whose name every object inherits', () => {
    const definition = servicesOf({
      things: { route: '/things', collection: { GET: null, POST: { status: 201 } } },
      constructor: { route: '/constructors', collection: { GET: null }, entity: null },
      removed: null,
    });
    expect(withoutNulls(definition)).toEqual(
      servicesOf({
        things: { route: '/things', collection: { POST: { status: 201 } } },
        constructor: { route: '/constructors', collection: {} },
      }),
    );
  });

  it('removes null in the objects of an API', () => {
    const definition = {
      license: { name: 'MIT', url: null },
      contact: { name: null, url: null, email: 'ada@example.org' },
      cors: { origins: ['*'], headers: null },
    };
    expect(withoutNulls(definition)).toEqual({
      license: { name: 'MIT' },
      contact: { email: 'ada@example.org' },
      cors: { origins: ['*'] },
    });
  });

  it('removes null in the limits of uploads of services and operations', () => {
    const uploads = { files: 1, file_size: null };
    const limits = { uploads: { files: 1 } };
    expect(withoutNulls(servicesOf({ forms: { uploads, collection: { POST: { uploads } } } }))).toEqual(
      servicesOf({ forms: { ...limits, collection: { POST: limits } } }),
    );
  });

  it('returns the same definition if nothing is null, and leaves one with nulls unchanged', () => {
    const whole = servicesOf({ things: { route: '/things', fields: { default: null } } });
    expect(withoutNulls(whole)).toBe(whole);
    const partial = servicesOf({ things: { entity: null } });
    withoutNulls(partial);
    expect(partial).toEqual(servicesOf({ things: { entity: null } }));
  });
});
