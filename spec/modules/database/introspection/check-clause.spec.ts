import fc from 'fast-check';
import { openDatabase } from '../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import {
  type ColumnCheck,
  parseCheckClause,
} from '../../../../src/modules/database/introspection/check-clause';
import { anyText } from '../../../factories/any-text';

const read = (clause: string): Readonly<Record<string, ColumnCheck>> =>
  Object.fromEntries(parseCheckClause(clause));

test.each<readonly [clause: string, column: string, check: ColumnCheck]>([
  ['price >= 0', 'price', { constraints: { minimum: 0 } }],
  ['0 < "unit price"', 'unit price', { constraints: { exclusiveMinimum: 0 } }],
  ['[price] <= 1e3 AND `price` > -1.5', 'price', { constraints: { maximum: 1000, exclusiveMinimum: -1.5 } }],
  ['price > 1 AND price > 5 AND price >= 3', 'price', { constraints: { exclusiveMinimum: 5, minimum: 3 } }],
  ['stars BETWEEN 1 AND 5', 'stars', { constraints: { minimum: 1, maximum: 5 } }],
  ['length(name) <= 20', 'name', { constraints: { maxLength: 20 } }],
  ['char_length(name) > 2 and length(name) < 10', 'name', { constraints: { minLength: 3, maxLength: 9 } }],
  ["name <> ''", 'name', { constraints: { minLength: 1 } }],
  ["state IN ('open', 'it''s closed')", 'state', { constraints: {}, values: ['open', "it's closed"] }],
  ['level in (1, 2, -3)', 'level', { constraints: {}, values: [1, 2, -3] }],
  ['level IN (1, 2, 3) AND level IN (2, 3, 4)', 'level', { constraints: {}, values: [2, 3] }],
  ['price IS NULL OR price >= 0', 'price', { constraints: { minimum: 0 } }],
  ['/* of all */ price >= 0 -- not negative', 'price', { constraints: { minimum: 0 } }],
  // As PostgreSQL prints them.
  ['CHECK ((price >= 0))', 'price', { constraints: { minimum: 0 } }],
  ["CHECK ((price >= '-5'::integer))", 'price', { constraints: { minimum: -5 } }],
  ['CHECK ((price > (0)::numeric)) NO INHERIT', 'price', { constraints: { exclusiveMinimum: 0 } }],
  ['CHECK (((stars >= 1) AND (stars <= 5)))', 'stars', { constraints: { minimum: 1, maximum: 5 } }],
  ['CHECK ((char_length((name)::text) <= 20))', 'name', { constraints: { maxLength: 20 } }],
  [
    "CHECK (((state)::text = ANY ((ARRAY['a'::character varying, 'b]'::character varying])::text[])))",
    'state',
    { constraints: {}, values: ['a', 'b]'] },
  ],
  ["CHECK ((state = ANY (ARRAY['a'::text, 'b'::text])))", 'state', { constraints: {}, values: ['a', 'b'] }],
  ['CHECK ((level = ANY (ARRAY[1, 2])))', 'level', { constraints: {}, values: [1, 2] }],
  ["CHECK (((code)::text ~ '^[A-Z]+$'::text))", 'code', { constraints: { pattern: '^[A-Z]+$' } }],
  ["CHECK (((code)::text <> ''::text))", 'code', { constraints: { minLength: 1 } }],
])('%s', (clause, column, check) => {
  expect(read(clause)).toEqual({ [column]: check });
});

test.each([
  'price >= cost',
  'price >= 0 OR free = 1',
  'NOT price >= 0',
  'price IN (1, NULL)',
  'price NOT IN (1, 2)',
  'price + 1 >= 0',
  'abs(price) >= 0',
  'price % 2 = 0 AND price || 1 > 5',
  'CAST(price AS INTEGER) >= 0',
  '(price)::integer >= 0',
  '(price)::numeric(10,2) >= 0',
  'price >= 9007199254740993',
  'price >= 0x10',
  'length(trim(name)) > 0',
  "name LIKE 'a%'",
  "name COLLATE NOCASE = 'a'",
  "name ~* '^a'",
  "name ~ '^.$'",
  "name ~ '\\d'",
  "name ~ '(?i)a'",
  "mood = 'sad'::mood",
  '1 < price < 5',
  'price >=',
  "name = 'open",
  'CHECK ((price >= 0)) NOT VALID',
  '('.repeat(1000),
])('nothing is guessed of %s', (clause) => {
  expect(read(clause)).toEqual({});
});

test('what is not understood hides nothing that is', () => {
  expect(read("lower(name) = name AND price >= 0 AND name NOT LIKE 'x%'")).toEqual({
    price: { constraints: { minimum: 0 } },
  });
});

test('any text is read without an error', () => {
  const words = [
    'a',
    '"b"',
    '(',
    ')',
    'AND',
    'OR',
    'NOT',
    'IN',
    'IS',
    'NULL',
    'BETWEEN',
    '=',
    '>=',
    '::',
    'text',
    '1',
    "'x'",
    ',',
    'ARRAY[',
    ']',
    'length',
    '-',
  ];
  const clause = fc.oneof(
    anyText(),
    fc.array(fc.constantFrom(...words)).map((found) => found.join(' ')),
  );
  fc.assert(
    fc.property(clause, (text) => void parseCheckClause(text)),
    { numRuns: 2000 },
  );
});

describe('every value that satisfies a clause in SQLite satisfies its constraints:', () => {
  const database = openDatabase(':memory:');
  afterAll(() => database.close());
  const small = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constantFrom(-1.5, 0.5, 2.25));
  const operator = fc.constantFrom('=', '==', '<>', '!=', '<', '<=', '>', '>=');
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', "'"), maxLength: 4 });
  const quoted = text.map((value) => `'${value.replaceAll("'", "''")}'`);

  /** Combines conditions with operators of SQL. */
  const combined = (condition: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.letrec<{ clause: string }>((tie) => ({
      clause: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        condition,
        fc.tuple(tie('clause'), fc.constantFrom('AND', 'OR'), tie('clause')).map((parts) => parts.join(' ')),
        tie('clause').map((clause) => `(${clause})`),
        tie('clause').map((clause) => `NOT (${clause})`),
      ),
    })).clause;

  const satisfies = (clause: string, type: string, value: string | number): boolean => {
    const query = `SELECT (${clause}) IS NOT 0 AS passes FROM (SELECT CAST(? AS ${type}) AS x)`;
    return (database.prepare(query).get(value) as { passes: number }).passes === 1;
  };

  test('numbers', () => {
    const condition = fc.oneof(
      fc.tuple(operator, small).map(([compares, value]) => `x ${compares} ${value}`),
      fc.tuple(small, operator).map(([value, compares]) => `${value} ${compares} "x"`),
      fc.tuple(small, small).map(([low, high]) => `x BETWEEN ${low} AND ${high}`),
      fc
        .array(fc.oneof(small, fc.constant('NULL'), fc.constant('x')), { minLength: 1, maxLength: 3 })
        .map((list) => `x IN (${list.join(', ')})`),
      fc.constantFrom(
        'x IS NULL',
        'x IS NOT NULL',
        'x % 2 = 0',
        'x + 1 > 2',
        'abs(x) < 2',
        '-x > 1',
        'x NOT IN (1)',
      ),
    );
    fc.assert(
      fc.property(combined(condition), small, (clause, value) => {
        fc.pre(satisfies(clause, 'REAL', value));
        const { constraints, values } = parseCheckClause(clause).get('x') ?? { constraints: {} };
        const {
          minimum = value,
          maximum = value,
          exclusiveMinimum = -99,
          exclusiveMaximum = 99,
        } = constraints;
        expect([
          minimum <= value,
          maximum >= value,
          exclusiveMinimum < value,
          exclusiveMaximum > value,
        ]).not.toContain(false);
        expect(values ?? [value]).toContain(value);
      }),
      { numRuns: 1000 },
    );
  });

  test('texts', () => {
    const condition = fc.oneof(
      fc.tuple(operator, quoted).map(([compares, value]) => `x ${compares} ${value}`),
      fc.tuple(operator, small).map(([compares, value]) => `length(x) ${compares} ${value}`),
      fc.array(quoted, { minLength: 1, maxLength: 3 }).map((list) => `x IN (${list.join(', ')})`),
      fc.constantFrom("x LIKE 'a%'", "x NOT LIKE '%b'", "x GLOB 'a*'", "lower(x) = 'a'", "x || 'a' = 'aa'"),
    );
    fc.assert(
      fc.property(combined(condition), text, (clause, value) => {
        fc.pre(satisfies(clause, 'TEXT', value));
        const { constraints, values } = parseCheckClause(clause).get('x') ?? { constraints: {} };
        const { length } = Array.from(value);
        expect(constraints.minLength ?? 0).toBeLessThanOrEqual(length);
        expect(constraints.maxLength ?? length).toBeGreaterThanOrEqual(length);
        expect(values ?? [value]).toContain(value);
      }),
      { numRuns: 1000 },
    );
  });
});
