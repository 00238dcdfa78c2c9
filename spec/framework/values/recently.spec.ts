import { setImmediate as endOfTurn } from 'node:timers/promises';
import { recently } from '../../../src/framework';

describe('recently', () => {
  it('computes the results of the last arguments once', () => {
    const compute = jest.fn((text: string) => text.length);
    const lengthOf = recently(2, compute);
    expect(['a', 'bb', 'a', 'bb', 'a'].map(lengthOf)).toEqual([1, 2, 1, 2, 1]);
    expect(compute.mock.calls).toEqual([['a'], ['bb']]);
  });

  it('computes those of others again', () => {
    const compute = jest.fn((text: string) => text.length);
    const lengthOf = recently(2, compute);
    expect(['a', 'bb', 'ccc', 'bb', 'a', 'ccc'].map(lengthOf)).toEqual([1, 2, 3, 2, 1, 3]);
    expect(compute.mock.calls).toEqual([['a'], ['bb'], ['ccc'], ['a']]);
  });

  it('remembers results that are computed from one another', () => {
    const compute = jest.fn((n: number): number => (n === 0 ? 0 : n + sum(n - 1)));
    const sum = recently(8, compute);
    expect([sum(3), sum(2), sum(0)]).toEqual([6, 3, 0]);
    expect(compute).toHaveBeenCalledTimes(4);
  });

  it('remembers no error', () => {
    const parse = recently(1, (text: string): unknown => JSON.parse(text));
    expect(() => parse('{')).toThrow(SyntaxError);
    expect(() => parse('{')).toThrow(SyntaxError);
    expect(parse('1')).toBe(1);
  });

  it('computes the result of an object that was modified after the turn again', async () => {
    const names = recently(2, (one: object) => Object.keys(one));
    const schema: Record<string, unknown> = { type: 'string' };
    for (const keyword of ['pattern', 'format']) {
      expect(names(schema)).toEqual(Object.keys(schema));
      schema[keyword] = 'date';
      await endOfTurn();
    }
    expect(names(schema)).toEqual(['type', 'pattern', 'format']);
  });
});
