import { ownMembers } from '../../../src/framework/values/own-members';

describe('Own members', () => {
  it('are undefined where they are absent, although every object inherits one of their name', () => {
    const own = ownMembers(['title', 'constructor', 'toString']);
    const copy = own<Record<string, unknown>>({ title: 'Emma', constructor: 'Lotus' });
    expect(copy).toEqual({ title: 'Emma', constructor: 'Lotus', toString: undefined });
    expect([copy.toString, copy.constructor, copy.year]).toEqual([undefined, 'Lotus', undefined]);
  });

  it('are those of the same object where no name is inherited', () => {
    const value = { title: 'Emma' };
    expect(ownMembers(['title', 'year'])(value)).toBe(value);
  });
});
