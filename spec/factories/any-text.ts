import fc from 'fast-check';

const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;
const SURROGATE_COUNT = AFTER_SURROGATES - SURROGATES;

/** Any character of Unicode. */
const character = fc.nat(0x10ffff - SURROGATE_COUNT).map(
  (index) => String.fromCodePoint(index < SURROGATES ? index : index + SURROGATE_COUNT),
  (value) => {
    const [one = '', ...others] = typeof value === 'string' ? value : '';
    const code = one.codePointAt(0) ?? SURROGATES;
    if (others.length > 0 || (code >= SURROGATES && code < AFTER_SURROGATES))
      throw new Error('It is not a single character.');
    return code < SURROGATES ? code : code - SURROGATE_COUNT;
  },
);

/** The texts of `fc.string({ unit: 'binary' })`, which makes a table of all characters in each suite: a second. */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}
