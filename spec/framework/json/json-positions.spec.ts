import fc from 'fast-check';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { parseJsonText } from '../../../src/framework';
import { JsonPositions } from '../../../src/framework/json/json-positions';
import { largeApi } from '../../factories/large-api';

function scanned(text: string): {
  readonly positions: JsonPositions;
  readonly steps: number;
  readonly longest: number;
} {
  const work = JsonPositions.scan(text);
  let [steps, longest] = [0, 0];
  for (;;) {
    const start = performance.now();
    const step = work.next();
    longest = Math.max(longest, performance.now() - start);
    if (step.done === true) return { positions: step.value, steps, longest };
    steps++;
  }
}

/** Returns every path in a value, starting with its own. */
function pathsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return [path, ...members.flatMap(([key, member]) => pathsIn(member, [...path, key]))];
}

describe('The positions of the values of a JSON text', () => {
  it('are those of a syntax tree, for any text', () => {
    const documents = fc.dictionary(
      fc.string({ unit: 'binary' }).filter((key) => key !== '__proto__'),
      fc.jsonValue({ noUnicodeString: false }),
    );
    fc.assert(
      fc.property(documents, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const root = parseTree(text);
        const { positions } = scanned(text);
        for (const path of pathsIn(JSON.parse(text))) {
          const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
          const start = node?.parent?.type === 'property' ? node.parent.offset : node?.offset;
          const found = positions.closest(path);
          expect([path, positions.start(found), positions.valueStart(found), positions.end(found)]).toEqual([
            path,
            start,
            node?.offset,
            (node?.offset ?? 0) + (node?.length ?? 0),
          ]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('are formatted as line and column, those of the nearest ancestor for a missing key', () => {
    const { locate } = parseJsonText('{\r\n  "a": {\n\n\t"b\\u0063": [1,\n  {"d": 2}] }\n}\n', 'file.json');
    expect(locate([])).toBe('1:1');
    expect(locate(['a'])).toBe('2:3');
    expect(locate(['a', 'bc'])).toBe('4:2');
    expect(locate(['a', 'bc', 0])).toBe('4:14');
    expect(locate(['a', 'bc', 1, 'd'])).toBe('5:4');
    expect(locate(['a', 'bc', 1, 'e', 'f'])).toBe('5:3');
    expect(locate(['a', 'bc', '1'])).toBe('4:2');
    expect(locate(['b'])).toBe('1:1');
  });

  it('are scanned once, in small steps', () => {
    const value = largeApi(1000, 15);
    const text = JSON.stringify(value, null, 2);
    const { positions, steps, longest } = scanned(text);
    const paths = pathsIn(value);
    expect(steps).toBeGreaterThan(paths.length / 5000);
    expect(longest).toBeLessThan(250);
    // Scanning the text for each of 200,000 paths would take hours.
    const start = performance.now();
    for (const path of paths) positions.format(positions.closest(path));
    expect(performance.now() - start).toBeLessThan(10_000);
  }, 60_000);
});
