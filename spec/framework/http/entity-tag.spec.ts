import { isNoneMatch, parseEntityTags } from '../../../src/framework/http/entity-tag';

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
  ['"b" "a"', '"a"', false],
  ['"a", x', '"a"', false],
  [' , "b", ,"a" ,', '"a"', true],
  ['"b", "W/a"', '"W/a"', true],
  ['"b", "xW/a"', '"xW/a"', true],
  ['"b", "a"', '"W/a"', false],
])('%p against %s: %p', (field, tag, matches) => {
  expect(isNoneMatch(field, tag)).toBe(matches);
});

it.each([
  ['*', '*'],
  ['"a"', [{ opaque: 'a', weak: false }]],
  [
    'W/"a;b", "" ,,',
    [
      { opaque: 'a;b', weak: true },
      { opaque: '', weak: false },
    ],
  ],
  ['w/"a"', undefined],
  ['"a" "b"', undefined],
  ['*, "a"', undefined],
  ['', undefined],
])('%p lists %j', (field, tags) => {
  expect(parseEntityTags(field)).toEqual(tags);
});
