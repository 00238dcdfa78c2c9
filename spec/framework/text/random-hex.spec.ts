import { RandomHex } from '../../../src/framework/text/random-hex';

it('generates different ids of the requested length, longer than it reads random bytes at once', () => {
  const random = new RandomHex();
  const ids = Array.from({ length: 2_000 }, (_, at) => random.next(at % 2 === 0 ? 8 : 16));
  expect(new Set(ids).size).toBe(ids.length);
  ids.forEach((id, at) => expect(id).toMatch(at % 2 === 0 ? /^[\da-f]{16}$/ : /^[\da-f]{32}$/));
});
