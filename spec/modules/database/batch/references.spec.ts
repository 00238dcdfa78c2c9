import fc from 'fast-check';
import { resolveReferences, UnknownReference } from '../../../../src/modules/database/batch/references';

const results = [{ id: 7, name: 'a "b"', inner: { list: ['x', 'y'], none: null } }];

describe('references to earlier results', () => {
  it.each([
    ['{{0.id}}', 7],
    ['{{0.name}}', 'a "b"'],
    ['{{0.inner}}', results[0]?.inner],
    ['{{0.inner.list.1}}', 'y'],
    ['{{0.inner.none}}', null],
    ['/orders/{{0.id}}/{{0.inner.list.0}}', '/orders/7/x'],
    ['{{0.inner.list}}!', '["x","y"]!'],
    ['{{ 0.id }}', '{{ 0.id }}'],
    ['{{0}}', '{{0}}'],
    ['{0.id}', '{0.id}'],
  ])('in %j become %j', (text, value) => {
    expect(resolveReferences(text, results)).toEqual(value);
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
    expect(() => resolveReferences({ a: [text] }, results)).toThrow(UnknownReference);
  });

  it('leave every other value as it is, and never change keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('{{'));
        expect(resolveReferences(value, results)).toEqual(value);
        expect(resolveReferences({ '{{0.id}}': value, at: '{{0.id}}' }, results)).toEqual({
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
        expect(resolveReferences('{{0.value}}', earlier)).toEqual(value);
        expect(resolveReferences(`${around}{{0.text}}`, earlier)).toBe(`${around}{{0.value}}`);
      }),
    );
  });
});
