import fc from 'fast-check';
import { groupsParameter, readGroups } from '../../../../src/modules/database/users/user-rows';
import type { UserColumn } from '../../../../src/modules/database/users/user-columns';

const column: UserColumn = {
  name: 'roles',
  model: { type: 'text', declared: 'TEXT', isNullable: true },
};
const group = fc.stringMatching(/^[A-Za-z0-9_.@:-]{1,12}$/);

describe('the groups of a user', () => {
  it.each<[unknown, string[]]>([
    ['staff', ['staff']],
    ['staff, admins  ops', ['staff', 'admins', 'ops']],
    ['staff staff', ['staff']],
    [' ["a b", "c"]', ['a b', 'c']],
    ['["broken', []],
    ['{"a":1}', ['{"a":1}']],
    ['', []],
    [null, []],
    [['x', null, 7, ''], ['x']],
    [{ a: 1 }, []],
  ])('are read from %p', (stored, groups) => {
    expect(readGroups(stored)).toEqual(groups);
  });

  it('survive a change in the notation that the column had', () => {
    fc.assert(
      fc.property(fc.uniqueArray(group), fc.constantFrom('a b', 'a,b', '["a"]', null), (groups, previous) => {
        const stored = groupsParameter(groups, column, previous);
        expect(readGroups(stored)).toEqual(groups);
        if (groups.length > 1 && previous === 'a,b') expect(stored).toContain(',');
        if (previous === '["a"]') expect(stored).toMatch(/^\[/);
      }),
    );
  });
});
