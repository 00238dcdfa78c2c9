import fc from 'fast-check';
import { Type } from '@sinclair/typebox';
import type { ConfigObject } from '../../../../../src/framework';
import { MASK } from '../../../../../src/modules/admin/changes/comparison/difference';
import { httpFields } from '../../../../../src/modules/admin/screens/adapters/http-fields';
import {
  optionFields,
  type OptionField,
} from '../../../../../src/modules/admin/screens/adapters/option-field';
import {
  errorsAtFields,
  fillFromOptions,
  type FilledField,
} from '../../../../../src/modules/admin/screens/adapters/option-values';
import { readOptions } from '../../../../../src/modules/admin/screens/adapters/read-options';

const never = (): boolean => false;
const schema = Type.Object(
  {
    url: Type.String({ description: 'Where it is.' }),
    timeout: Type.Optional(Type.Integer()),
    ratio: Type.Optional(Type.Number()),
    follow: Type.Optional(Type.Boolean()),
    strict: Type.Boolean(),
    mode: Type.Optional(Type.Union([Type.Literal('fast'), Type.Literal('safe'), Type.Literal(3)])),
    scopes: Type.Optional(Type.Array(Type.String())),
    kinds: Type.Optional(Type.Array(Type.Union([Type.Literal('a'), Type.Literal('b')]))),
    cache: Type.Optional(Type.Object({ size: Type.Integer(), where: Type.Optional(Type.String()) })),
    rules: Type.Optional(Type.Array(Type.Object({ if: Type.String() }))),
    key: Type.Optional(Type.String({ secret: true })),
  },
  { additionalProperties: false },
);
const fields = optionFields(schema, never);

/** What a browser submits for an unchanged form. */
function sentBack(filled: readonly FilledField[]): URLSearchParams {
  const form = new URLSearchParams();
  for (const { name, control, value, chosen } of filled) {
    if (control === 'checkbox' || control === 'checkboxes') chosen.forEach((one) => form.append(name, one));
    else form.append(name, value.replace(/\n/g, '\r\n'));
  }
  return form;
}
const roundTrip = (own: readonly OptionField[], options: ConfigObject): ConfigObject =>
  readOptions(own, sentBack(fillFromOptions(own, options)), options).options;

const line = fc.string({ minLength: 1 }).filter((text) => text === text.trim() && !/[\r\n]/.test(text));
const options = fc.record(
  {
    url: fc.string().map((text) => text.replace(/[\r\n]/g, '')),
    timeout: fc.integer(),
    ratio: fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
      .map((n) => Math.round(n * 100) / 100 + 0),
    follow: fc.boolean(),
    strict: fc.boolean(),
    mode: fc.constantFrom('fast', 'safe', 3),
    scopes: fc.array(line),
    kinds: fc.constantFrom([], ['a'], ['b'], ['b', 'a'], ['a', 'b']),
    cache: fc.record({ size: fc.integer() }),
    rules: fc.array(fc.record({ if: fc.string() })),
  },
  { requiredKeys: ['url', 'strict'] },
);

describe('The form of adapter options', () => {
  it('has a control for every option according to its schema', () => {
    expect(Object.fromEntries(fields.map(({ name, control }) => [name, control]))).toEqual({
      '/options/url': 'text',
      '/options/timeout': 'number',
      '/options/ratio': 'number',
      '/options/follow': 'checkbox',
      '/options/strict': 'checkbox',
      '/options/mode': 'select',
      '/options/scopes': 'lines',
      '/options/kinds': 'checkboxes',
      '/options/cache/size': 'number',
      '/options/cache/where': 'text',
      '/options/rules': 'json',
      '/options/key': 'secret',
    });
  });

  it('changes nothing when it is submitted unchanged', () => {
    fc.assert(
      fc.property(options, (some) => {
        expect(roundTrip(fields, some as ConfigObject)).toEqual(some);
      }),
    );
  });

  it('shows a boolean that is on by default as checked, and turns it off', () => {
    const own = optionFields(
      Type.Object({
        verify: Type.Optional(Type.Boolean({ default: true })),
        debug: Type.Optional(Type.Boolean({ default: false })),
        retries: Type.Optional(Type.Integer({ default: 3, description: 'Attempts.' })),
      }),
      never,
    );
    const filled = fillFromOptions(own, {});
    expect(filled.map(({ chosen }) => chosen)).toEqual([['on'], [], [], []]);
    expect(filled.map(({ hint }) => hint).slice(0, 3)).toEqual(['', '', 'Attempts. Defaults to 3.']);
    const read = (form: string, current: ConfigObject = {}): ConfigObject =>
      readOptions(own, new URLSearchParams(form), current).options;
    expect(read('')).toEqual({ verify: false });
    expect(read('/options/verify=on&/options/debug=on')).toEqual({ debug: true });
    for (const current of [{}, { verify: true }, { verify: false }, { debug: false }, { debug: true }])
      expect(roundTrip(own, current)).toEqual(current);
  });

  it.each([
    ['members of an inner object without a field', { cache: { size: 1, more: [1] } }],
    ['an empty inner object', { cache: {} }],
    ['an inner value that is not an object', { cache: 'none' }],
    ['null among the choices', { empty: null }],
    ['a number in exponential notation', { ratio: 1e-7 }],
    ['a large number', { ratio: 1e21 }],
  ])('keeps %s', (_, some: ConfigObject) => {
    const inner = Type.Object({ size: Type.Integer(), where: Type.Optional(Type.String()) });
    const own = Type.Object({
      ratio: Type.Optional(Type.Number()),
      empty: Type.Optional(Type.Unsafe({ enum: ['a', null] })),
      cache: Type.Optional(inner),
    });
    expect(roundTrip(optionFields(own, never, some), some)).toEqual(some);
  });

  it('keeps other options with the names of members that every object has', () => {
    const some = { a: 'x', constructor: 1, toString: 'b' } as unknown as ConfigObject;
    expect(roundTrip(optionFields(Type.Object({ a: Type.String() }), never), some)).toEqual(some);
  });

  it('changes nothing for the built-in kind when it is submitted unchanged', () => {
    const digest = {
      accept_schemes: ['digest'],
      realm: 'Atlas',
      htdigest: 'data/a',
      digest_domains: '',
      nonce_timeout: '3600',
      qop: ['auth-int', 'auth'],
      allow_downgrade: false,
    };
    expect(roundTrip(httpFields(), digest)).toEqual(digest);
    const { digest_domains: _, allow_downgrade: __, ...sparse } = digest;
    expect(roundTrip(httpFields(), sparse)).toEqual(sparse);
  });

  it('hides secrets, keeps them if the field is empty, and accepts new ones', () => {
    const current = { url: 'x', strict: true, key: MASK };
    const filled = fillFromOptions(fields, current);
    expect(filled.find(({ name }) => name === '/options/key')).toMatchObject({ value: '', isSet: true });
    expect(roundTrip(fields, current)).toEqual(current);
    const form = sentBack(filled);
    form.set('/options/key', 'new');
    expect(readOptions(fields, form, current).options.key).toBe('new');
  });

  it('has a field for other options if the schema allows them', () => {
    const open = optionFields(Type.Object({ a: Type.String() }), never);
    const some = { a: 'x', more: { deep: [1, null, { b: true }] } };
    expect(roundTrip(open, some)).toEqual(some);
    expect(roundTrip(optionFields(Type.Unknown(), never), some)).toEqual(some);
    expect(roundTrip(optionFields(undefined, never), {})).toEqual({});
  });

  it.each([
    ['/options/timeout', 'soon', 'Enter a number.'],
    ['/options/timeout', '1e999', 'Enter a number.'],
    ['/options/timeout', '1e', 'Enter a number.'],
    ['/options/rules', '[', 'Invalid JSON'],
    ['/options/rules', '[{"__proto__": 1}]', '__proto__'],
  ])('rejects %s = %s', (name, typed, message) => {
    const { errors } = readOptions(fields, new URLSearchParams([[name, typed]]));
    expect(errors).toEqual([{ pointer: name, message: expect.stringContaining(message) as string }]);
  });

  it('assigns errors to the field that contains the option', () => {
    const errors = [
      { pointer: '/options/rules/0/if', message: 'a' },
      { pointer: '/options/cache/size', message: 'b' },
      { pointer: '/options/unknown', message: 'c' },
      { pointer: '/name', message: 'd' },
    ];
    expect(errorsAtFields(fields, errors)).toEqual([
      { pointer: '/options/rules', message: 'a' },
      { pointer: '/options/cache/size', message: 'b' },
      { pointer: '', message: 'unknown: c' },
      { pointer: '/name', message: 'd' },
    ]);
  });

  it('handles arbitrary input', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...fields.map(({ name }) => name)), fc.string())),
        (sent) => {
          const read = readOptions(fields, new URLSearchParams(sent));
          expect(Object.getPrototypeOf(read.options)).toBe(Object.prototype);
        },
      ),
    );
  });
});
