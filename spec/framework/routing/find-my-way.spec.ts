import fc from 'fast-check';
import findMyWay from 'find-my-way';
import { Router } from '../../../src/framework';
import { expand, parametersOf, parsePattern } from '../../../src/framework/routing/pattern';

type Match = (path: string) => unknown;

/** Routes of one pattern with and without its optional parts. */
interface Variant {
  readonly name: string;
  readonly path: string;
  readonly names: readonly string[];
}

function variantsOf(patterns: readonly string[]): readonly Variant[] {
  return patterns.flatMap((pattern, at) =>
    expand(parsePattern(pattern)).map((parts) => {
      let position = 0;
      const plain = parts.map((part) => {
        if (part.kind === 'literal') return part.text;
        if (part.kind === 'optional') return '';
        return `:p${position++}${part.constraint === undefined ? '' : `(^${part.constraint})`}`;
      });
      return { name: String(at), path: plain.join(''), names: parametersOf(parts) };
    }),
  );
}

/** A router as this one, on find-my-way: the names of routes are their positions. */
function oracleOf(variants: readonly Variant[]): Match {
  const lookup = findMyWay({ maxParamLength: 8_192, onBadUrl: () => undefined });
  for (const variant of variants) lookup.on('GET', variant.path, () => undefined, variant);
  return (path) => {
    const found = lookup.find('GET', path);
    if (found === null) return undefined;
    if (found.store === null) return 'malformed';
    const variant = found.store as Variant;
    const values = variant.names.map((_, position) => found.params[`p${position}`]);
    // find-my-way returns empty parameters of parts of segments; this router tries the other routes.
    if (values.some((value) => value === undefined || value === ''))
      return oracleOf(variants.filter((one) => one !== variant))(path);
    return [variant.name, Object.fromEntries(variant.names.map((one, position) => [one, values[position]]))];
  };
}

function matchOf(patterns: readonly string[]): Match {
  const router = new Router<null>();
  for (const [at, pattern] of patterns.entries()) router.add(String(at), pattern, null);
  return (path) => {
    try {
      const match = router.match(path);
      return match && [match.route.name, { ...match.parameters }];
    } catch {
      return 'malformed';
    }
  };
}

/** Undefined if the table is refused, as tables with conflicts are. */
function accepted(patterns: readonly string[]): Match | undefined {
  try {
    return oracleOf(variantsOf(patterns));
  } catch {
    return undefined;
  }
}

const literal = fc.constantFrom('a', 'b', 'ab', 'abc', 'v', 'v1', 'ä', 'a b', 'a,b', '~');
const parameter = fc.constantFrom(':x', ':x', ':x(\\d+)', ':x([ab]+)', ':x(a|ab)');
/** find-my-way takes other characters after a parameter for a part of its name. */
const separator = fc.constantFrom('-', '.', '-v', '.a');
const segment = fc.oneof(
  literal,
  parameter,
  fc.tuple(literal, parameter).map((parts) => parts.join('')),
  fc.tuple(parameter, separator).map((parts) => parts.join('')),
  fc.tuple(parameter, separator, parameter).map((parts) => parts.join('')),
  fc.tuple(literal, parameter, separator, parameter, separator).map((parts) => parts.join('')),
  fc.constantFrom('a[-:x]', ':x(^\\d+$)'),
  fc.constant(''),
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '[/v:version(\\d+)]'),
    fc.array(segment, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '[/:tail]', '[/:tail[/b]]'),
  )
  .map(([version, segments, tail]) => {
    let position = 0;
    return (
      version +
      segments
        .map((text) => `/${text}`)
        .join('')
        .replaceAll(':x', () => `:x${position++}`) +
      tail
    );
  });
const pathSegment = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '.', 'v'), maxLength: 5 }),
  fc.constantFrom(
    '',
    'v1',
    'v12',
    'ab',
    'abc',
    '%61',
    'a%20b',
    'a%2Fb',
    'a%2Cb',
    'a,b',
    '%25',
    '%2525',
    '1%2D1',
  ),
  fc.constantFrom('%C3%A4', '%c3%a4', '%zz', '%', '%C3', 'a%0Ab', '~', 'v%31', 'A'),
);
const path = fc
  .array(pathSegment, { minLength: 1, maxLength: 5 })
  .map((segments) => `/${segments.join('/')}`);

it('matches the same routes with the same parameters as find-my-way, for any table and path', () => {
  let matched = 0;
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 6 }),
      fc.array(path, { minLength: 20, maxLength: 20 }),
      (patterns, paths) => {
        const expected = accepted(patterns);
        // find-my-way accepts one constraint for each place.
        if (expected === undefined) return;
        const match = matchOf(patterns);
        for (const one of paths) {
          expect([one, match(one)]).toEqual([one, expected(one)]);
          if (Array.isArray(expected(one))) matched++;
        }
      },
    ),
    { numRuns: 600 },
  );
  expect(matched).toBeGreaterThan(100);
});
