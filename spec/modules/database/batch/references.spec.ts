import fc from 'fast-check';
import {
  Allowance,
  resolveReferences,
  resolveText,
  TooMuchInserted,
  UnknownReference,
} from '../../../../src/modules/database/batch/references';

const resolve = (value: unknown, earlier: readonly unknown[], characters = Infinity): unknown =>
  resolveReferences(value, earlier, new Allowance(characters));

const results = [
  {
    id: 7,
    name: 'a "b"',
    inner: { list: ['x', 'y'], none: null },
    'Staff ID': 8,
    Größe: 9,
    '100 %': 10,
    'v1.size, cm': { 'a.b': 'deep' },
    v1: 'one',
  },
];

describe('references to earlier results', () => {
  it.each([
    ['{{0.id}}', 7],
    ['{{0.name}}', 'a "b"'],
    ['{{0.inner}}', results[0]?.inner],
    ['{{0.inner.list.1}}', 'y'],
    ['{{0.inner.none}}', null],
    ['/orders/{{0.id}}/{{0.inner.list.0}}', '/orders/7/x'],
    ['{{0.inner.list}}!', '["x","y"]!'],
    ['{{0.Staff ID}}', 8],
    ['/staff/{{0.Staff ID}}/{{0.Größe}}', '/staff/8/9'],
    ['/staff/{{0.Staff%20ID}}', '/staff/8'],
    ['{{0.100 %}}', 10],
    ['{{0.v1.size, cm.a.b}}', 'deep'],
    ['{{0.v1}}', 'one'],
    ['{{0.75 l}} of {{0.id}}', '{{0.75 l}} of 7'],
    ['{{0.75 l}}', '{{0.75 l}}'],
    ['{{ 0.id }}', '{{ 0.id }}'],
    ['{{0}}', '{{0}}'],
    ['{0.id}', '{0.id}'],
  ])('in %j become %j', (text, value) => {
    expect(resolve(text, results)).toEqual(value);
  });

  it.each([
    '{{1.id}}',
    '{{0.ID}}',
    '{{0.id.x}}',
    '{{0.constructor}}',
    '{{0.__proto__}}',
    '{{0.inner.list.2}}',
    '{{0.name.length}}',
  ])('to members that do not exist are errors: %s', (text) => {
    expect(() => resolve({ a: [text] }, results)).toThrow(UnknownReference);
  });

  it.each(['/staff/{{0.Staff%20Id}}', '/staff/{{0.Staff Id}}', '{{0.größe}}', '{{1.Staff ID}}'])(
    'in a path or a field are never left as they are: %s',
    (text) => {
      const strict = () => resolveText(text, results, new Allowance(Infinity), { isStrict: true });
      expect(strict).toThrow(UnknownReference);
      expect(resolve(text, results)).toBe(text);
    },
  );

  it.each([
    [{ a: { b: { c: 1 } }, 'a.b': {} }, 'a.b.c', 1],
    [{ a: { b: { c: 1 } }, 'a.b': { c: 2 } }, 'a.b.c', 1],
    [{ a: { b: {} }, 'a.b': { c: 2 } }, 'a.b.c', 2],
    [{ a: 'text', 'a.b': { 'c.d': 3 } }, 'a.b.c.d', 3],
    [{ 'a%20b': 4, 'a b': 5 }, 'a%20b', 4],
    [{ 'a b': 5 }, 'a%20b', 5],
  ])('find members in %j at %s', (result, path, value) => {
    expect(resolve(`{{0.${path}}}`, [result])).toBe(value);
  });

  it('try a limited number of names with dots', () => {
    let reads = 0;
    const member = (depth: number): object =>
      depth === 0
        ? {}
        : Object.defineProperties(
            {},
            Object.fromEntries(
              ['a', 'a.a'].map((name) => [name, { get: () => ((reads += 1), member(depth - 1)) }]),
            ),
          );
    const path = Array.from({ length: 40 }, () => 'a').join('.');
    expect(() => resolve(`{{0.${path}.b}}`, [member(30)])).toThrow(UnknownReference);
    expect(reads).toBeLessThan(10_000);
  });

  it('leave every other value as it is, and never change keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('{{'));
        expect(resolve(value, results)).toEqual(value);
        expect(resolve({ '{{0.id}}': value, at: '{{0.id}}' }, results)).toEqual({
          '{{0.id}}': value,
          at: 7,
        });
      }),
    );
  });

  it('are replaced by any value, which is not read again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, around) => {
        fc.pre(!around.includes('{') && !around.includes('}'));
        const earlier = [{ value, text: '{{0.value}}' }];
        expect(resolve('{{0.value}}', earlier)).toEqual(value);
        expect(resolve(`${around}{{0.text}}`, earlier)).toBe(`${around}{{0.value}}`);
      }),
    );
  });

  it('insert no more characters than they may, of texts and of members that are not text', () => {
    const earlier = [{ text: 'x'.repeat(10), list: ['x'.repeat(6)] }];
    for (const text of ['{{0.text}}', '{{0.list}}', 'at {{0.list}}', '{{0.text}}{{0.list}}']) {
      const characters = text === '{{0.text}}{{0.list}}' ? 20 : 10;
      expect(() => resolve([text], earlier, characters)).not.toThrow();
      expect(() => resolve([text], earlier, characters - 1)).toThrow(TooMuchInserted);
    }
  });
});
