import { listNames, MAX_NAMES } from '../../../src/framework/text/list-names';

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${at}`);

describe('A list of names in a message', () => {
  it('is complete up to the limit', () => {
    expect(listNames([])).toBe('none');
    expect(listNames(['a', 2])).toBe('a, 2');
    expect(listNames(names(MAX_NAMES))).toBe(names(MAX_NAMES).join(', '));
  });

  it('ends with the number of the others beyond it', () => {
    expect(listNames(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
    expect(listNames(names(450))).toMatch(/^n0, n1, .*, n19 and 430 more$/);
  });
});
