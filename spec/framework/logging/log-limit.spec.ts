import { LogLimit } from '../../../src/framework';
import { growthOf } from '../../factories/measure/cpu-time';

describe('The limit of lines that clients can cause', () => {
  let now = 0;
  let limit: LogLimit;
  beforeEach(() => {
    now = 0;
    limit = new LogLimit(() => now);
  });

  it('allows each text of a source once in 10 minutes', () => {
    expect([limit.allows('a', 'x'), limit.allows('a', 'x')]).toEqual([true, false]);
    expect([limit.allows('a', 'y'), limit.allows('b', 'x')]).toEqual([true, true]);
    now = 599_999;
    expect(limit.allows('a', 'x')).toBe(false);
    now = 600_000;
    expect(limit.allows('a', 'x')).toBe(true);
  });

  it('allows 20 texts of a source, whatever they are', () => {
    const allowed = Array.from({ length: 100 }, (_, at) => limit.allows('a', String(at)));
    expect(allowed.filter(Boolean)).toHaveLength(20);
    expect(limit.allows('b', '100')).toBe(true);
  });

  it('allows 5 texts that differ in quoted texts only, and others after them', () => {
    const allowed = Array.from({ length: 100 }, (_, at) => limit.allows('a', `The key "${at}" has expired.`));
    expect(allowed.filter(Boolean)).toHaveLength(5);
    expect(limit.allows('a', 'The key is unknown.')).toBe(true);
  });

  it.each([
    ['have quotation marks', (at: number) => `The claim "x" is ${JSON.stringify(`a"${at}" b`)}.`],
    ['end with a backslash', (at: number) => `The claim "x" is ${JSON.stringify(`${at}\\`)}.`],
    ['are truncated', (at: number) => `The claim "x" is "${at}`],
    ['are truncated after a backslash', (at: number) => `The claim "x" is "${at}\\`],
  ])('allows 5 texts that differ in quoted texts only, also if these %s', (_, textOf) => {
    const allowed = Array.from({ length: 100 }, (__, at) => limit.allows('a', textOf(at)));
    expect(allowed.filter(Boolean)).toHaveLength(5);
    expect(limit.allows('a', 'The key is unknown.')).toBe(true);
  });

  it.each(['"a', '"\\', '"\\\n', 'a\\"'])('reads long texts in linear time: %j', (part) => {
    const growth = growthOf((size) => new LogLimit().allows('a', part.repeat(size)), 2000, 20_000);
    expect(growth).toBeLessThan(40);
  });
});
