import fc from 'fast-check';
// The package itself: its bundle has no `findNodeAtLocation`.
import { findNodeAtLocation, parseTree } from 'jsonc-parser/lib/umd/main';
import { parseJsonText } from '../../../src/framework';
import { JsonPositions } from '../../../src/framework/json/json-positions';
import { cpuTimeOf, growthOf } from '../../factories/measure/cpu-time';
import { largeApi } from '../../factories/documents/large-api';
import { anyText } from '../../factories/any-text';

function scanned(text: string): { readonly positions: JsonPositions; readonly steps: number } {
  const work = JsonPositions.scan(text);
  for (let steps = 0; ; steps++) {
    const step = work.next();
    if (step.done === true) return { positions: step.value, steps };
  }
}

/** The share of the longest step in the CPU time of a scan. */
async function longestShare(text: string): Promise<number> {
  const work = JsonPositions.scan(text);
  let [longest, total, isDone] = [0, 0, false];
  while (!isDone) {
    const time = await cpuTimeOf(() => (isDone = work.next().done === true));
    longest = Math.max(longest, time);
    total += time;
  }
  return longest / total;
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
      anyText().filter((key) => key !== '__proto__'),
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

  it('are scanned in small steps', async () => {
    const value = largeApi(1000, 15);
    const text = JSON.stringify(value, null, 2);
    expect(scanned(text).steps).toBeGreaterThan(pathsIn(value).length / 5000);
    const shares: number[] = [];
    for (let scan = 0; scan < 5; scan++) shares.push(await longestShare(text));
    // About 0.1: steps differ, and one of them may collect garbage.
    expect(Math.min(...shares)).toBeLessThan(0.3);
  }, 60_000);

  it('are found without another scan', () => {
    const sizes = [50, 500].map((services) => {
      const value = largeApi(services, 15);
      return [services, [scanned(JSON.stringify(value, null, 2)).positions, pathsIn(value)]] as const;
    });
    const bySize = new Map(sizes);
    const formatAll = (services: number): void => {
      const [positions, paths] = bySize.get(services) ?? [];
      for (const path of paths ?? []) positions?.format(positions.closest(path));
    };
    // Scanning the text for each path would take 100 times as long.
    expect(growthOf(formatAll, 50, 500)).toBeLessThan(40);
  }, 60_000);
});
