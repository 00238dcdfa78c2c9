import fc from 'fast-check';
import type { ConfigObject, ConfigValue } from '../../src/framework';

/** Plausible names, and those of the members of Object.prototype. */
const keys = fc.oneof(
  fc.constantFrom('Atlas', 'a', 'b', 'c', 'd'),
  fc.constantFrom('constructor', 'toString', '__proto__', 'a.b', '', '0'),
);

const scalars = fc.oneof(fc.string(), fc.integer(), fc.boolean());

/** Objects that may be effective configuration: nulls remove members, so they remain only in lists. */
export const configTrees: fc.Arbitrary<ConfigObject> = fc.letrec<{ tree: ConfigObject; value: ConfigValue }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalars,
      fc.array(fc.oneof(scalars, fc.constant(null)), { maxLength: 3 }),
      tie('tree'),
    ),
    tree: fc
      .array(fc.tuple(keys, tie('value')), { maxLength: 4 })
      .map((members): ConfigObject => Object.fromEntries(members)),
  }),
).tree;
