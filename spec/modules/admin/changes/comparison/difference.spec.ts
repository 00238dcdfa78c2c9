import fc from 'fast-check';
import type { ConfigObject, KeyPath } from '../../../../../src/framework';
import { differenceOf, MASK } from '../../../../../src/modules/admin/changes/comparison/difference';
import { tagOf } from '../../../../../src/modules/admin/changes/comparison/tag';
import { configTrees } from '../../../../factories/config-trees';

const visible = (): boolean => false;

describe('A difference', () => {
  it('is empty exactly for equal configurations', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (one, other) => {
        expect(differenceOf(one, other, visible).length === 0).toBe(tagOf(one) === tagOf(other));
        expect(differenceOf(one, structuredClone(one), visible)).toEqual([]);
      }),
    );
  });

  it('has its sides swapped when its arguments are', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (one, other) => {
        const there = differenceOf(one, other, visible).map(({ path, before, after }) => [
          path,
          before,
          after,
        ]);
        const back = differenceOf(other, one, visible).map(({ path, before, after }) => [
          path,
          after,
          before,
        ]);
        expect(new Set(back.map((line) => JSON.stringify(line)))).toEqual(
          new Set(there.map((line) => JSON.stringify(line))),
        );
      }),
    );
  });

  it('never contains a secret', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (one, other) => {
        for (const { before = MASK, after = MASK } of differenceOf(one, other, () => true))
          expect([before, after]).toEqual([MASK, MASK]);
      }),
    );
  });

  it('lists leaves with formatted key paths', () => {
    const before = { a: { b: 1, c: [1, 2] }, d: 'same' };
    const after = { a: { b: 2, e: { f: true } }, d: 'same' };
    expect(differenceOf(before, after, visible)).toEqual([
      { path: 'a.b', before: '1', after: '2' },
      { path: 'a.c', before: '[1,2]' },
      { path: 'a.e.f', after: 'true' },
    ]);
  });

  it('shows null as a removal, and an empty object as a value', () => {
    expect(differenceOf({}, { a: null, b: {} }, visible)).toEqual([
      { path: 'a', after: 'null' },
      { path: 'b', after: '{}' },
    ]);
  });

  it('shows both sides if an object replaces a value', () => {
    expect(differenceOf({ a: 'one' }, { a: { b: 'two' } }, visible)).toEqual([
      { path: 'a', before: '"one"' },
      { path: 'a.b', after: '"two"' },
    ]);
  });

  it('masks secrets inside lists', () => {
    const isSecret = (path: KeyPath): boolean => path.at(-1) === 'pin' && path.includes(1);
    const servers = (pin: string): ConfigObject => ({
      servers: [{ host: 'a' }, { host: 'b', inner: { pin } }, ['c', null]],
    });
    const line = `[{"host":"a"},{"host":"b","inner":{"pin":"${MASK}"}},["c",null]]`;
    expect(differenceOf(servers('1'), servers('2'), isSecret)).toEqual([
      { path: 'servers', before: line, after: line },
    ]);
  });

  it('supports the names of inherited object properties', () => {
    expect(differenceOf({}, { toString: 'new' }, visible)).toEqual([{ path: 'toString', after: '"new"' }]);
  });

  it('distinguishes a key with dots or brackets from several keys', () => {
    const paths = differenceOf(
      {},
      { apis: { 'My.Api': { a: 1 }, 'x[0]': 2, '': 3, 'Atlas-v1/Country': 4 } },
      visible,
    );
    expect(paths.map(({ path }) => path)).toEqual([
      'apis["My.Api"].a',
      'apis["x[0]"]',
      'apis[""]',
      'apis.Atlas-v1/Country',
    ]);
  });
});
