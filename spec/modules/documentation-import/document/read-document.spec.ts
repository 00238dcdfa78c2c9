import fc from 'fast-check';
import { stringify } from 'yaml';
import { growthOf } from '../../../factories/measure/cpu-time';
import { readDocument } from '../../../../src/modules/documentation-import/document/read-document';

/** Reads a document whose member `x` is the YAML text. */
const read = (x: string, name = 'pets.yaml'): unknown =>
  readDocument(`openapi: 3.1.0\npaths: {}\n${x}`, name).x;

describe('YAML merge keys', () => {
  it.each([
    ['add the members of an object', 'a: &a {p: 1, q: 2}\nx: {<<: *a, r: 3}', { p: 1, q: 2, r: 3 }],
    ['keep the members that the object has', 'a: &a {p: 1, q: 2}\nx: {q: 3, <<: *a}', { p: 1, q: 3 }],
    [
      'add those of several objects, of which the first has precedence',
      'a: &a {p: 1, q: 1}\nb: &b {q: 2, r: 2}\nx: {<<: [*a, *b, {s: 3}]}',
      { p: 1, q: 1, r: 2, s: 3 },
    ],
    ['are applied in what is merged', 'a: &a {p: 1}\nb: &b {<<: *a, q: 2}\nx: {<<: *b}', { p: 1, q: 2 }],
    ['are applied in lists', 'a: &a {p: 1}\nx: [{<<: *a}, {<<: *a, p: 2}]', [{ p: 1 }, { p: 2 }]],
  ])('%s', (_, yaml, expected) => {
    expect(read(yaml)).toEqual(expected);
  });

  it('set no prototype', () => {
    const x = read('a: &a {__proto__: {p: 1}}\nx: {<<: *a}');
    expect(Object.getPrototypeOf(x)).toBe(Object.prototype);
    expect(Object.keys(x as object)).toEqual(['__proto__']);
  });

  it.each([3, 'text', [1], null, [[{}]]])('with %j are members with this name', (value) => {
    expect(read(`x: {"<<": ${JSON.stringify(value)}}`)).toEqual({ '<<': value });
  });

  it('are members in JSON', () => {
    const x = { '<<': { p: 1 } };
    expect(readDocument(JSON.stringify({ openapi: '3.1.0', paths: {}, x }), 'pets.json').x).toEqual(x);
  });

  it('that merge an object into itself are refused', () => {
    expect(() => read('x: &x {p: {<<: *x}}')).toThrow('pets.yaml is circular, by a YAML alias.');
  });

  it('that merge 20,000 members into 200 objects are refused', () => {
    const members = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join(', ');
    const merged = Array.from({ length: 200 }, (_, at) => `m${at}: {<<: *a}`).join('\n');
    expect(() => read(`a: &a {${members}}\n${merged}\nx: 1`)).toThrow(
      'pets.yaml has more than 2,000,000 values',
    );
  });

  it('that each merge two others are read once', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `a${at + 1}: &a${at + 1} {<<: [*a${at}, *a${at}]}`);
    expect(read(`a0: &a0 {p: 1}\n${lines.join('\n')}\nx: *a60`)).toEqual({ p: 1 });
  });
});

describe('JSON that is not well-formed', () => {
  it.each([
    ['{"openapi":"3.0.0",\n "info": }', 'a value expected, found } at line 2, column 10.'],
    ['{"openapi":"3.0.0",\n "info": 1\n "paths": {}}', '"," expected, found "paths" at line 3, column 2.'],
    ['{"openapi":', 'a value expected, but the file ends at line 1, column 12.'],
  ])('is refused with line and column: %j', (text, reason) => {
    expect(() => readDocument(text, 'pets.json')).toThrow(`pets.json cannot be read as JSON: ${reason}`);
  });
});

describe('the keys of an object', () => {
  it('must be unique, and the first repetition is named', () => {
    expect(() => read('x:\n  a: {p: 1}\n  b: {p: 1, q: 2, p: 3, q: 4}')).toThrow(
      'pets.yaml cannot be read as YAML: Map keys must be unique at line 5, column 19.',
    );
  });

  it.each([
    ['a number and a text', '{200: a, "200": b}'],
    ['a boolean and a text', '{true: a, "true": b}'],
    ['null and an empty text', '{null: a, "": b}'],
    ['a text and its alias', '{p: &k a, a: 1, *k : 2}'],
    ['two merged objects', '{p: &k {a: 1}, <<: *k, <<: *k}'],
  ])('must be unique as members of an object: %s', (_, keys) => {
    expect(() => read(`x: ${keys}`)).toThrow('pets.yaml cannot be read as YAML: Map keys must be unique');
  });

  it('may be the aliases of other texts', () => {
    expect(read('x: {p: &k a, q: &l 200, *k : 1, *l : 2}')).toEqual({ p: 'a', q: 200, a: 1, 200: 2 });
  });

  it('are compared in time proportional to their number', () => {
    const readKeys = (count: number) =>
      read(`x: {${Array.from({ length: count }, (_, at) => `k${at}: 1`).join(', ')}}`);
    expect(growthOf(readKeys, 2_000, 16_000)).toBeLessThan(20);
  });
});

describe('aliases', () => {
  const using = (count: number): string =>
    `errors: &errors {400: {description: A}}\nx:\n${'  - *errors\n'.repeat(count)}`;

  it('may refer to the same value in thousands of places', () => {
    expect(read(using(5_000))).toHaveLength(5_000);
  });

  it('are refused if there are more', () => {
    expect(() => read(using(5_001))).toThrow('pets.yaml has 5,001 YAML aliases, and 5,000 at most are read.');
  });

  it('are not the reason to refuse a large document that has none', () => {
    const text = JSON.stringify({ openapi: '3.1.0', paths: {}, x: Array(2_100_000).fill(0) });
    expect('x' in readDocument(text, 'pets.json')).toBe(true);
  });

  it('nested more deeply than the parser can read are an error that says so', () => {
    expect(() => read(`x: ${'['.repeat(50_000)}`)).toThrow(/nested (?:too deeply|deeper)/);
  });
});

describe('a document that begins with {', () => {
  const flow = '{openapi: 3.1.0, paths: {}, x: [a, "b"]}';

  it('is YAML in flow style if the file is named so', () => {
    expect(readDocument(flow, 'pets.yaml').x).toEqual(['a', 'b']);
    expect(readDocument(`\uFEFF${flow}`, 'https://api.example/pets.YML').x).toEqual(['a', 'b']);
    expect(() => readDocument('{openapi: 3.1.0, paths: {', 'pets.yml')).toThrow(/cannot be read as YAML: /);
  });

  it('is JSON otherwise', () => {
    expect(() => readDocument(flow, 'pets.json')).toThrow(/cannot be read as JSON: /);
    const twice = '{"openapi": "3.1.0", "paths": {}, "paths": {}}';
    expect(() => readDocument(twice, 'pets.yaml')).toThrow(/the key "paths" is a duplicate/);
  });
});

it('YAML is read as the value that it was written from', () => {
  // A member "<<" is the only one that is read in another way.
  const value = fc.jsonValue({ maxDepth: 4 }).filter((one) => !JSON.stringify(one).includes('<<'));
  fc.assert(
    fc.property(value, (x) => {
      const plain: unknown = JSON.parse(JSON.stringify(x));
      expect(read(stringify({ x: plain }))).toEqual(plain);
    }),
  );
});
