import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { Validators } from '../../../../src/modules/content-validation';
import { prune } from '../../../../src/modules/hosting/members/prune';
import { compileShape } from '../../../../src/modules/content-validation/members/member-shape';
import {
  ResponseMatchers,
  type ResponseMatcher,
} from '../../../../src/modules/hosting/response-matcher/response-matcher';
import { anyText } from '../../../factories/any-text';

type Schema = Readonly<Record<string, unknown>>;

/** A schema, and values that mostly match it. */
interface Sample {
  readonly schema: Schema;
  readonly values: fc.Arbitrary<unknown>;
}

const text = fc.oneof(fc.string(), anyText(), fc.constantFrom('"', '\\', '\u2028', '\ud800', ''));

const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  NaN,
  Infinity,
  -0,
  1.5,
  'x',
  true,
  [],
  {},
  new Date(0),
  Object.create(null) as object,
);

const sample = (schema: Schema, values: fc.Arbitrary<unknown>): Sample => ({
  schema,
  values: fc.oneof({ weight: 12, arbitrary: values }, { weight: 1, arbitrary: odd }),
});

const scalars: fc.Arbitrary<Sample> = fc.constantFrom(
  sample({ type: 'string', description: 'A text.' }, text),
  sample({ type: 'string', minLength: 2 }, text),
  sample({ type: 'string', enum: ['a', 'b'] }, fc.constantFrom('a', 'b', 'c')),
  sample({ type: 'integer' }, fc.integer()),
  sample({ type: 'number', minimum: 0 }, fc.double({ noNaN: true, noDefaultInfinity: true })),
  sample({ type: 'boolean', default: true }, fc.boolean()),
  sample({ type: 'null' }, fc.constant(null)),
  sample({ type: ['string', 'null'] }, fc.option(text)),
  sample({ anyOf: [{ type: 'integer' }, { type: 'null' }] }, fc.option(fc.integer())),
  sample({}, fc.jsonValue()),
  sample(
    { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'integer' } } }] },
    fc.oneof(text, fc.record({ a: fc.integer(), b: fc.integer() }, { requiredKeys: [] })),
  ),
);

const names = fc.uniqueArray(fc.constantFrom('id', 'a b', 'Ä', '__proto__', 'toString', '0', '_links'), {
  minLength: 1,
  maxLength: 4,
});

const samples: fc.Arbitrary<Sample> = fc.letrec<{ any: Sample; list: Sample; object: Sample }>((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, scalars, tie('list'), tie('object')),
  list: tie('any').map(({ schema, values }) =>
    sample({ type: 'array', items: schema }, fc.array(values, { maxLength: 3 })),
  ),
  object: fc
    .tuple(names, fc.array(tie('any'), { minLength: 4, maxLength: 4 }), fc.boolean(), fc.nat(3))
    .map(([keys, members, isClosed, required]) => {
      const entries = keys.map((key, at) => [key, members[at] ?? { schema: {}, values: odd }] as const);
      return sample(
        {
          type: 'object',
          properties: Object.fromEntries(entries.map(([key, { schema }]) => [key, schema])),
          required: keys.slice(0, required),
          ...(isClosed ? { additionalProperties: false } : {}),
        },
        fc
          .tuple(
            fc.tuple(...entries.map(([, { values }]) => values)),
            fc.integer({ min: -1, max: 20 }),
            fc.boolean(),
          )
          .map(([values, without, addsMember]) => {
            const all = values.map((value, at) => [keys[at] ?? '', value] as const);
            const some = all.filter((_, at) => at !== without);
            const isHidden = without > 17;
            const value = Object.fromEntries(addsMember && without === 3 ? [...some, ['more', 1]] : some);
            return isHidden && some[0] !== undefined ? hidden(value, some[0][0]) : value;
          }),
      );
    }),
})).any;

const validators = new Validators();

function matcherOf(schema: Schema, keepsUnknown = false): ResponseMatcher | undefined {
  return new ResponseMatchers().of(schema, keepsUnknown);
}

function matching(schema: Schema, value: unknown): ResponseMatcher {
  const matcher = matcherOf(schema);
  if (matcher === undefined) throw new Error('The schema is not covered.');
  expect(matcher.isSentAsIs(value)).toBe(true);
  return matcher;
}

const Book = Type.Object({
  id: Type.String(),
  pages: Type.Optional(Type.Integer()),
  author: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
  tags: Type.Array(Type.String()),
});
const book = { id: 'a"b', pages: 7, author: { name: 'É\n' }, tags: ['x', 'y'] };

describe('The matcher of responses', () => {
  it('finds only values to be sent as they are that the filter leaves unchanged, and that JSON preserves', () => {
    let found = 0;
    fc.assert(
      fc.property(
        samples.chain(({ schema, values }) => fc.tuple(fc.constant(schema), values, fc.boolean())),
        ([schema, value, keepsUnknown]) => {
          const matcher = matcherOf(schema, keepsUnknown);
          if (matcher?.isSentAsIs(value) !== true) return;
          found++;
          expect(prune(value, compileShape(schema, keepsUnknown))).toBe(value);
          // Only the sign of zero is lost.
          expect(JSON.parse(JSON.stringify(value))).toEqual(withoutSigns(value));
          if (matcher.isValid?.(value) === true) expect(validators.asIs(schema)(value)).toEqual({ value });
        },
      ),
      { numRuns: 500 },
    );
    expect(found).toBeGreaterThan(50);
  });

  it('covers objects, lists, optional members and null', () => {
    expect(matching(Book, book).isValid?.(book)).toBe(true);
    const short = { id: 'a', author: null, tags: [] };
    expect(matching(Book, short).lists.size).toBe(0);
    const Page = Type.Object({ books: Type.Array(Book), page: Type.Integer() });
    expect([...matching(Page, { books: [book, short], page: 1 }).lists.keys()]).toEqual(['books']);
    expect([...matching(Type.Array(Book), [book, short]).lists.keys()]).toEqual(['']);
  });

  it.each<[string, object]>([
    ['in the order of the declaration', book],
    ['in another order', { tags: [], pages: 7, author: null, id: 'a' }],
    ['in another order, without optional ones', { tags: [], author: { name: 'x' }, id: 'a' }],
  ])('covers members %s', (_, value) => {
    matching(Book, value);
  });

  it('copies the items of lists with their links', () => {
    const copy = matching(Type.Array(Book), [book]).lists.get('')?.();
    const links = { self: { href: '/books/1' } };
    expect(JSON.stringify(copy?.(book, links))).toBe(JSON.stringify({ _links: links, ...book }));
    const short = { tags: [], author: null, id: 'a' };
    expect(copy?.(short, links)).toEqual({ _links: links, ...short });
    const Odd = Type.Object({ 'a "b"\u2028`': Type.String(), 7: Type.String(), '': Type.String() });
    const odd = { 7: '7', '': 'e', 'a "b"\u2028`': 'q' };
    expect(matching(Type.Array(Odd), [odd]).lists.get('')?.()(odd, 1)).toEqual({ _links: 1, ...odd });
  });

  it.each<[string, Schema, unknown]>([
    ['an undeclared member', Book, { ...book, hash: 'h' }],
    [
      'an undeclared member in place of an optional one',
      Book,
      { id: 'a', hash: 'h', author: null, tags: [] },
    ],
    ['a missing member', Book, { id: 'a', tags: [] }],
    ['a value of another type', Book, { ...book, pages: '7' }],
    ['a fraction in place of an integer', Book, { ...book, pages: 7.5 }],
    ['a number that JSON cannot represent', Type.Object({ a: Type.Number() }), { a: NaN }],
    ['an instance of a class', Book, Object.assign(Object.create({}) as object, book)],
    ['a value with toJSON', Type.Object({ a: Type.String() }), { a: 'x', toJSON: () => 1 }],
    ['a member that JSON does not show', Book, hidden({ ...book }, 'pages')],
    ['a required member that JSON does not show', Book, hidden({ ...book }, 'id')],
    ['a hidden toJSON', Book, hidden({ ...book, toJSON: () => 1 }, 'toJSON')],
    [
      'a hidden toJSON in a union',
      Type.Object({ a: Type.Union([Book, Type.String()]) }),
      { a: hidden({ ...book, toJSON: () => ({ hash: 'h' }) }, 'toJSON') },
    ],
    [
      'a list with toJSON in a union',
      Type.Object({ a: Type.Union([Type.Array(Type.String()), Type.String()]) }),
      { a: Object.assign(['a'], { toJSON: () => [{ hash: 'h' }] }) },
    ],
    ['a list with toJSON', Type.Array(Type.String()), Object.assign(['a'], { toJSON: () => ['b'] })],
    ['a list with a hole', Type.Array(Type.String()), Array.from<unknown>({ length: 1 })],
    [
      'a member that is not sent',
      Type.Object({ a: Type.String(), b: Type.String({ writeOnly: true }) }),
      { a: 'x', b: 'y' },
    ],
    ['an undeclared member in a union', Book, { ...book, author: { name: 'x', hash: 'h' } }],
  ])('leaves %s to the filter', (_, schema, value) => {
    expect(matcherOf(schema)?.isSentAsIs(value)).toBe(false);
  });

  it.each<[string, Schema]>([
    ['a union', Type.Union([Book, Type.Object({ b: Type.String() })])],
    ['a map', Type.Record(Type.String(), Type.String())],
    ['open objects', { type: 'object', properties: { a: {} }, additionalProperties: true }],
    ['members of HAL', Type.Object({ _links: Type.String() })],
    [
      'very large objects',
      Type.Object(Object.fromEntries(Array.from({ length: 54 }, (_, at) => [`m${at}`, Type.String()]))),
    ],
    ['a text', Type.String()],
    ['anything', Type.Unknown()],
  ])('does not cover %s', (_, schema) => {
    expect(matcherOf(schema)).toBeUndefined();
  });

  it('follows references, also of recursive schemas', () => {
    const Tree: Schema = {
      $ref: '#/$defs/Tree',
      $defs: {
        Tree: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
          },
          required: ['name'],
        },
      },
    };
    const tree = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] };
    expect(matching(Tree, tree).isSentAsIs({ name: 'a', children: [{ name: 'b', hash: 'h' }] })).toBe(false);
  });

  it.each<[string, Schema]>([
    ['lists', { type: 'array', items: { $ref: '#/$defs/Nested' } }],
    ['lists or null', { type: ['array', 'null'], items: { $ref: '#/$defs/Nested' } }],
    ['described lists', { type: 'array', items: { $ref: '#/$defs/Nested', description: 'Nested.' } }],
  ])('follows schemas that are recursive through %s', (_, Nested) => {
    const value = { tree: [[], [[]]] };
    const properties = { tree: { $ref: '#/$defs/Nested' } };
    const matcher = matching({ type: 'object', properties, $defs: { Nested } }, value);
    expect(matcher.isValid).toBeUndefined();
  });

  it('covers as many members as numbers can count exactly, present or not', () => {
    const names = Array.from({ length: 53 }, (_, at) => `m${at}`);
    const Wide = Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Integer())])));
    for (const left of [() => true, (at: number) => at % 3 === 0, (at: number) => at === 52]) {
      const value = Object.fromEntries(names.flatMap((name, at) => (left(at) ? [[name, at]] : [])));
      matching(Wide, value);
      matching(Wide, Object.fromEntries(Object.entries(value).reverse()));
      const [last = ''] = Object.keys(value).slice(-1);
      expect(matcherOf(Wide)?.isSentAsIs(hidden(value, last))).toBe(false);
    }
  });

  it('compiles equal code once', () => {
    const matchers = new ResponseMatchers();
    const Other = Type.Object({ id: Type.String({ description: 'Another.' }), pages: Type.Integer() });
    const Same = Type.Object({ id: Type.String(), pages: Type.Integer() });
    expect(matchers.of(Other, false)?.isSentAsIs).toBe(matchers.of(Same, false)?.isSentAsIs);
    expect(matchers.of(Book, false)?.isSentAsIs).not.toBe(matchers.of(Same, false)?.isSentAsIs);
    const [copy, another] = [Other, Same].map((schema) =>
      matchers.of(Type.Array(schema), false)?.lists.get('')?.(),
    );
    expect(copy).toBe(another);
  });
});

/** Makes a member invisible to JSON. */
function hidden(value: Record<string, unknown>, name: string): object {
  return Object.defineProperty(value, name, { enumerable: false });
}

/** A copy without -0, which JSON writes as 0. */
function withoutSigns(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withoutSigns);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[name, withoutSigns(member)]],
    ),
  );
}
