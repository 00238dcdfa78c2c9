import fc from 'fast-check';
import { formatPointer, Problem } from '../../../../src/framework';
import {
  assertMemberCount,
  assertNesting,
} from '../../../../src/modules/content-negotiation/json-text/nesting';
import { parseBody } from '../../../../src/modules/content-negotiation/parse-body';

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

function problemOf(text: string, limit: number, check = assertNesting): unknown {
  try {
    check(text, limit);
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.toJSON() : error;
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('assertNesting', () => {
  it.each([
    ['lists', nested(201)],
    ['objects', nested(201, '{"a":', '}').replace(':}', ':1}')],
    ['both', nested(101, '[{"a":', '}]').replace(':}', ':1}')],
    ['lists next to strings', `["\\"]]]",${nested(200)}]`],
    ['malformed text', '['.repeat(5_000)],
  ])('rejects %s above the limit with 400', (_, text) => {
    expect(problemOf(text, 200)).toMatchObject({
      status: 400,
      detail: 'The body is nested more than 200 levels deep. Reduce the nesting.',
      limit: 200,
    });
  });

  it.each([
    ['lists up to the limit', nested(200)],
    ['many lists side by side', `[${'[],'.repeat(1_000)}[]]`],
    ['brackets within strings', JSON.stringify(['['.repeat(5_000), '\\'.repeat(3), '"['.repeat(500)])],
    ['an unterminated string', `"${'['.repeat(5_000)}`],
  ])('accepts %s', (_, text) => {
    expect(problemOf(text, 200)).toBeUndefined();
  });

  it('counts the levels of the value', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 6, noUnicodeString: false }),
        fc.integer({ min: 1, max: 6 }),
        (text, limit) => {
          expect(problemOf(text, limit) === undefined).toBe(depthOf(JSON.parse(text)) <= limit);
        },
      ),
    );
  });

  it('applies to HAL and JSON, with a default of 200', () => {
    for (const type of ['application/json', 'application/hal+json', 'application/vnd.some+json'])
      expect(() => parseBody(Buffer.from(nested(5_000)), type)).toThrow('more than 200 levels deep');
    expect(parseBody(Buffer.from(nested(2)), 'application/json', { depth: 2 })).toEqual([[]]);
    expect(() => parseBody(Buffer.from(nested(3)), 'application/json', { depth: 2 })).toThrow(
      'more than 2 levels',
    );
  });
});

/** The JSON Pointers of all members and items, in the order of the text. */
function pointersOf(value: unknown, path: readonly (string | number)[] = []): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const members: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown, at) => [at, item])
    : Object.entries(value);
  return members.flatMap(([key, member]) => [
    formatPointer([...path, key]),
    ...pointersOf(member, [...path, key]),
  ]);
}

describe('assertMemberCount', () => {
  it('counts all members and items, and points at the first one too many', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5, noUnicodeString: false }),
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom(undefined, 1),
        (value, limit, indent) => {
          const pointers = pointersOf(value);
          const found = problemOf(JSON.stringify(value, null, indent), limit, assertMemberCount);
          const pointer = pointers[limit];
          if (pointer === undefined) expect(found).toBeUndefined();
          else expect(found).toMatchObject({ status: 400, limit, errors: [{ pointer }] });
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('points at an ancestor if the names are long, so that the response stays short', () => {
    const text = `{"a":{"${'b'.repeat(100_000)}":[1,2]}}`;
    expect(problemOf(text, 2, assertMemberCount)).toMatchObject({ errors: [{ pointer: '/a' }] });
    const deep = '{"abcdefghij":'.repeat(5_000);
    expect(JSON.stringify(problemOf(deep, 4_000)).length).toBeLessThan(1_500);
  });

  it('terminates for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => problemOf(text, 0, assertMemberCount)).not.toThrow();
        expect(() => problemOf(text, 0)).not.toThrow();
      }),
    );
  });

  it('limits bodies to 100,000 by default, and form fields to 10,000 at most', () => {
    const items = (count: number): Buffer => Buffer.from(JSON.stringify(Array(count).fill(1)));
    expect(parseBody(items(100_000), 'application/json')).toHaveLength(100_000);
    expect(() => parseBody(items(100_001), 'application/json')).toThrow(
      'the first one too many is at "/100000"',
    );
    const form = Buffer.from('a=1&b=2&c=3');
    expect(() => parseBody(form, 'application/x-www-form-urlencoded', { members: 2 })).toThrow(
      'more than 2 fields',
    );
    const fields = (count: number): Buffer =>
      Buffer.from(Array.from({ length: count }, (_, at) => `a${at}=1`).join('&'));
    const type = 'application/x-www-form-urlencoded';
    expect(Object.keys(parseBody(fields(10_000), type) as object)).toHaveLength(10_000);
    for (const members of [undefined, 100_000])
      expect(() => parseBody(fields(10_001), type, { members })).toThrow('more than 10000 fields');
  });
});
