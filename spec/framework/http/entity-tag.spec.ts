import { isNoneMatch } from '../../../src/framework/http/entity-tag';

it.each([
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['"b", "a"', '"a"', true],
  ['"b","a"', '"a"', true],
  ['*', '"a"', true],
  [' * ', '"a"', true],
  ['"b"', '"a"', false],
  ['"a-br"', '"a"', false],
  ['a', '"a"', false],
  ['', '"a"', false],
  [undefined, '"a"', false],
  ['"', '"a"', false],
])('%p against %s: %p', (field, tag, matches) => {
  expect(isNoneMatch(field, tag)).toBe(matches);
});
