import fc from 'fast-check';
import { inDependencyOrder as orderOf, ConfigurationError, type Module } from '../../../../src/framework';

const named = (name: string, ...requires: readonly string[]): Module => ({ name, requires });
const names = (modules: readonly Module[]): readonly string[] => modules.map(({ name }) => name);

const inOrder = (modules: readonly Module[]): readonly Module[] =>
  orderOf(modules.map((module) => ({ module, source: 'the list' }))).map(({ module }) => module);

describe('The order of modules', () => {
  it('is that of the list without requirements', () => {
    expect(names(inOrder([named('b'), { name: 'a' }, named('c')]))).toEqual(['b', 'a', 'c']);
  });

  it('places each module after those it requires, transitively', () => {
    expect(names(inOrder([named('c', 'b'), named('b', 'a'), named('x'), named('a')]))).toEqual([
      'a',
      'b',
      'c',
      'x',
    ]);
  });

  it('puts each behind those that it requires optionally, and adds none', () => {
    const operations: Module = { name: 'operations', optionalRequires: ['mvc-auth', 'absent'] };
    expect(names(inOrder([operations, named('mvc-auth')]))).toEqual(['mvc-auth', 'operations']);
    expect(names(inOrder([operations]))).toEqual(['operations']);
  });

  it('rejects circular requirements, and shows the circle', () => {
    expect(() => inOrder([named('x', 'a'), named('a', 'b'), named('b', 'c'), named('c', 'a')])).toThrow(
      new ConfigurationError('The modules a → b → c → a require each other.'),
    );
    expect(() => inOrder([named('a', 'a')])).toThrow(
      'The module "a" requires itself. If it means the built-in module of that name, rename this one.',
    );
  });

  it('contains each module once, after all that it requires, for any requirements', () => {
    // Each module may require only earlier ones, so that there is no circle.
    const requirements = fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 3 }), { maxLength: 10 });
    const shuffled = requirements.chain((lists) => {
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
        ordered.forEach(({ requires = [] }, at) => {
          expect(names(ordered.slice(0, at))).toEqual(expect.arrayContaining([...requires]));
        });
      }),
    );
  });
});
