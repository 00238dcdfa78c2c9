import { pluralize } from '../../../src/framework/text/pluralize';

describe('A number of things', () => {
  it.each([
    [0, '0 files'],
    [1, '1 file'],
    [2, '2 files'],
  ])('has the plural except for one: %d', (number, expected) => {
    expect(pluralize(number, 'file')).toBe(expected);
  });
});
