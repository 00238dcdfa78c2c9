import { Type } from '@sinclair/typebox';
import { Configuration } from '../../../src/framework';
import type { Layer } from '../../../src/framework/config/layers/layer';
import { growthOf } from '../../factories/measure/cpu-time';

const shop = Type.Object(
  {
    name: Type.Optional(Type.String()),
    hours: Type.Optional(Type.Array(Type.Integer())),
    selectors: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Record(Type.String(), Type.Array(Type.String(), { mergeLists: 'add' })),
      ),
    ),
    options: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);

function configurationOf(...layers: readonly Layer[]): Configuration {
  return new Configuration('/project', layers, new Map([['shop', shop]]));
}

/** A configuration with references in a number of services, and as many without. */
function withReferences(count: number): Configuration {
  const names = Array.from({ length: count }, (_, at) => `s${at}`);
  const options = Object.fromEntries(
    names.flatMap((name) => [
      [name, { adapter: 'shop', table: name }],
      [`${name}x`, { adapter: 'own', table: name }],
    ]),
  );
  const written = names.map((name) => ({
    path: ['shop', 'options', name, 'adapter'],
    text: '${DB}',
  }));
  return configurationOf({ source: 'file', tree: { shop: { options } }, written });
}

describe('The effective configuration', () => {
  it('is merged key by key, with precedence for higher layers', () => {
    const configuration = configurationOf(
      { source: 'low', tree: { shop: { name: 'low', hours: [9, 17] } } },
      { source: 'high', tree: { shop: { hours: [10] } } },
    );
    expect(configuration.section('shop', shop)).toEqual({ name: 'low', hours: [10] });
  });

  it('joins additive lists', () => {
    const configuration = configurationOf(
      {
        source: 'low',
        tree: { shop: { selectors: { Documentation: { JsonModel: ['application/json'] } } } },
      },
      {
        source: 'high',
        tree: { shop: { selectors: { Documentation: { JsonModel: ['text/json'], Model: ['x/y'] } } } },
      },
    );
    expect(configuration.valueAt(['shop', 'selectors', 'Documentation'])).toEqual({
      JsonModel: ['application/json', 'text/json'],
      Model: ['x/y'],
    });
  });

  it('loses a key that a higher layer sets to null', () => {
    const configuration = configurationOf(
      { source: 'low', tree: { shop: { name: 'low', hours: [9] } } },
      { source: 'high', tree: { shop: { name: null } } },
    );
    expect(configuration.valueAt(['shop'])).toEqual({ hours: [9] });
  });

  it('keeps a key that a higher layer, such as a script, sets to undefined', () => {
    const configuration = configurationOf(
      { source: 'low', tree: { shop: { name: 'low', hours: [9] } } },
      { source: 'high.js', tree: { shop: { name: undefined as unknown as string, hours: [10] } } },
    );
    expect(configuration.section('shop', shop)).toEqual({ name: 'low', hours: [10] });
    expect(configuration.sourceOf(['shop', 'name'])).toBe('low');
  });

  it('is frozen on every level', () => {
    const configuration = configurationOf({ source: 'low', tree: { shop: { hours: [9] } } });
    const section = configuration.section('shop', shop);
    expect(() => section.hours?.push(10)).toThrow(TypeError);
    expect(() => (section.name = 'x')).toThrow(TypeError);
  });

  it('has an empty section for an unset key', () => {
    expect(configurationOf().section('shop', shop)).toEqual({});
  });

  it('has no section for an unset key with required members, whose type promises them', () => {
    const schema = Type.Object({ url: Type.String() });
    const configuration = new Configuration('/project', [], new Map([['shop', schema]]));
    expect(configuration.valueAt(['shop'])).toBeUndefined();
    expect(() => configuration.section('shop', schema)).toThrow('the configuration: shop.url: is missing.');
  });

  it('returns a section only for its own schema', () => {
    expect(() => configurationOf().section('shop', Type.Object({}))).toThrow(
      '"shop" is not described by that schema.',
    );
  });

  it('locates a value in the highest layer that sets it', () => {
    const configuration = configurationOf(
      { source: 'low.json', tree: { shop: { name: 'a', hours: [1] } }, locate: () => '2:3' },
      { source: 'the environment', tree: { shop: { name: 'b' } } },
    );
    expect(configuration.sourceOf(['shop', 'name'])).toBe('the environment');
    expect(configuration.sourceOf(['shop', 'hours', 0])).toBe('low.json:2:3');
    expect(configuration.sourceOf(['shop', 'none'])).toBe('the configuration');
  });
});

describe('assertAt', () => {
  const options = Type.Object({ realm: Type.String({ minLength: 1 }) }, { additionalProperties: false });
  const layer = (tree: Layer['tree']): Layer => ({ source: 'local.json', tree, locate: () => '4:5' });

  it('accepts a valid value', () => {
    const configuration = configurationOf(layer({ shop: { options: { door: { realm: 'Shop' } } } }));
    expect(() => configuration.assertAt(['shop', 'options', 'door'], options)).not.toThrow();
  });

  it('reports every error with the file and the full path', () => {
    const configuration = configurationOf(layer({ shop: { options: { door: { realm: 1, relm: 'x' } } } }));
    const check = (): void => configuration.assertAt(['shop', 'options', 'door'], options);
    expect(check).toThrow('local.json:4:5: shop.options.door.relm: unknown key. Did you mean "realm"?');
    expect(check).toThrow('local.json:4:5: shop.options.door.realm: is 1; it must be of type string.');
  });

  it('shows no secrets of the schema, and none by their names', () => {
    const given = { door: { code: 4711, api_key: 4711, realm: 'Shop' } };
    const secrets = Type.Object({ code: Type.String({ secret: true }), api_key: Type.String() });
    const check = (): void =>
      configurationOf(layer({ shop: { options: given } })).assertAt(['shop', 'options', 'door'], secrets);
    expect(check).toThrow('shop.options.door.code: is a number; it must be of type string.');
    expect(check).toThrow('shop.options.door.api_key: is a number; it must be of type string.');
    expect(check).not.toThrow('4711');
  });

  it('treats a missing value as an empty object', () => {
    expect(() => configurationOf().assertAt(['shop', 'options', 'door'], options)).toThrow(
      'shop.options.door.realm: is missing.',
    );
  });
});

describe('References to environment variables', () => {
  it('are found by their paths, and by those above them', () => {
    const configuration = withReferences(2);
    const at = ['shop', 'options'];
    expect(configuration.writtenAt([...at, 's1'])).toEqual({ adapter: '${DB}', table: 's1' });
    expect(configuration.writtenAt([...at, 's1x'])).toEqual({ adapter: 'own', table: 's1' });
    expect(configuration.writtenAt([...at, 's1', 'adapter'])).toBe('${DB}');
    expect(configuration.writtenAt(at)).toMatchObject({ s0: { adapter: '${DB}' }, s1: { adapter: '${DB}' } });
    expect(
      [[], ['s1'], ['s1', 'adapter'], ['s1', 'table'], ['s1x']].map((below) =>
        configuration.isSecret([...at, ...below]),
      ),
    ).toEqual([true, true, true, false, false]);
  });

  it('are found in time that grows with their number', () => {
    const configurations = new Map([500, 10_000].map((count) => [count, withReferences(count)]));
    const read = (count: number): void => {
      for (let at = 0; at < count; at++) {
        configurations.get(count)?.writtenAt(['shop', 'options', `s${at}`]);
        configurations.get(count)?.isSecret(['shop', 'options', `s${at}`, 'adapter']);
      }
    };
    expect(growthOf(read, 500, 10_000)).toBeLessThan(70);
  });
});
