import fc from 'fast-check';
import { inOrder, StartError, type Module } from '../../../src/framework';

const named = (name: string, ...needs: readonly string[]): Module => ({ name, needs });
const names = (modules: readonly Module[]): readonly string[] => modules.map(({ name }) => name);

describe('The order of modules', () => {
  it('is that of the list where nobody needs another', () => {
    expect(names(inOrder([named('b'), { name: 'a' }, named('c')]))).toEqual(['b', 'a', 'c']);
  });

  it('puts each behind those it needs, however far', () => {
    expect(names(inOrder([named('c', 'b'), named('b', 'a'), named('x'), named('a')]))).toEqual([
      'a',
      'b',
      'c',
      'x',
    ]);
  });

  it('is an error when a need is not listed', () => {
    expect(() => inOrder([named('shop', 'till')])).toThrow(
      new StartError(
        'config/application.json: the module "shop" needs the module "till". Add it to "modules".',
      ),
    );
  });

  it('is an error when modules need each other, and shows how', () => {
    expect(() => inOrder([named('x', 'a'), named('a', 'b'), named('b', 'c'), named('c', 'a')])).toThrow(
      new StartError('The modules a → b → c → a need each other.'),
    );
    expect(() => inOrder([named('a', 'a')])).toThrow('The modules a → a need each other.');
  });

  it('is an error when a module is listed twice', () => {
    expect(() => inOrder([named('a'), named('b'), named('a')])).toThrow(
      new StartError('config/application.json: the module "a" is listed twice.'),
    );
  });

  it('holds each module once, behind all that it needs, whatever they are', () => {
    // Each module may need those before it, so that there is no circle.
    const needs = fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 3 }), { maxLength: 10 });
    const shuffled = needs.chain((lists) => {
      const modules = lists.map((list, at) =>
        named(`m${at}`, ...list.filter((n) => n < at).map((n) => `m${n}`)),
      );
      return fc.shuffledSubarray(modules, { minLength: modules.length });
    });
    fc.assert(
      fc.property(shuffled, (modules) => {
        const ordered = inOrder(modules);
        expect(new Set(ordered)).toEqual(new Set(modules));
        expect(ordered).toHaveLength(modules.length);
        ordered.forEach(({ needs = [] }, at) => {
          expect(names(ordered.slice(0, at))).toEqual(expect.arrayContaining([...needs]));
        });
      }),
    );
  });
});
