import fc from 'fast-check';

/** Values that are easily taken for each other, such as `1` and `"1"`, or where texts are joined instead of compared. */
const scalar = fc.constantFrom<unknown>(
  0,
  -0,
  1,
  1.5,
  '1',
  '"1',
  '[1]',
  '[1',
  '{}',
  true,
  'true',
  null,
  'null',
  '',
  'a,b',
  '"a"',
);

/** JSON values that are equal as often as not. */
export const { similarValue } = fc.letrec((tie) => ({
  similarValue: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('similarValue'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'a":1,"b'), tie('similarValue'), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
  ),
}));
