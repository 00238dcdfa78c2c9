import { changedByTriggers } from '../../../../../../src/modules/database/adapters/sqlite/schema/changed-by-triggers';

const trigger = (owner: string, body: string, when = '') => ({
  owner,
  sql: `create trigger t after insert on "${owner}" ${when} begin ${body}; end`,
});
const found = (...triggers: Parameters<typeof changedByTriggers>[0]): readonly string[] => [
  ...changedByTriggers(triggers),
];

describe('a table whose rows triggers change', () => {
  it('has a trigger that names it', () => {
    expect(found(trigger('things', 'update things set a = 1'))).toEqual(['things']);
    expect(found(trigger('my.things', 'update [my.things] set a = 1'))).toEqual(['my.things']);
    expect(found(trigger('größen', 'update "größen" set a = 1'))).toEqual(['größen']);
    expect(found(trigger('"-"', 'update """-""" set a = 1'))).toEqual(['"-"']);
  });

  it('has a trigger that names another table with such a trigger', () => {
    expect(
      found(
        trigger('a', 'insert into b values (1)'),
        trigger('b', 'insert into c values (1)'),
        trigger('c', 'update a set x = 1'),
        trigger('d', 'insert into a values (1)'),
      ),
    ).toEqual(['a', 'b', 'c']);
  });

  it('has other triggers than those of logs and full-text indexes', () => {
    expect(
      found(
        trigger('things', 'insert into things_search (rowid) values (new.id)'),
        trigger('makers', 'insert into log values (new.id)', 'when new.id in (select id from makers)'),
      ),
    ).toEqual([]);
  });
});
