import fc from 'fast-check';
import { Problem } from '../../../src/framework';
import { assertNesting } from '../../../src/modules/content-negotiation/nesting';
import { parseBody } from '../../../src/modules/content-negotiation/parse-body';

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

function problemOf(text: string, limit: number): unknown {
  try {
    assertNesting(text, limit);
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
    expect(parseBody(Buffer.from(nested(2)), 'application/json', 2)).toEqual([[]]);
    expect(() => parseBody(Buffer.from(nested(3)), 'application/json', 2)).toThrow('more than 2 levels');
  });
});
