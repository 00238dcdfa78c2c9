import type { ConfigObject } from '../../../../../src/framework';
import {
  mergedDeclaration,
  toEdited,
} from '../../../../../src/modules/admin/actions/services/table-service-edit';
import { parametersFor } from '../../../../../src/modules/admin/actions/services/table-service-input';

const PLACE = { api: 'Shop', version: 1, name: 'Shift' };
const current: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'shifts',
  route: '/shifts[/:day/:who]',
  route_identifier_name: ['who', 'day'],
  entity_identifier_name: ['Staff ID', 'day'],
  columns: { 'Staff ID': {}, day: {} },
};

function identifiersAfter(changes: {
  readonly route?: string;
  readonly identifier?: readonly string[];
}): object {
  const edited = toEdited(PLACE, current);
  const merged = mergedDeclaration(current, { ...edited, input: { ...edited.input, ...changes } });
  return { route: merged.route_identifier_name, entity: merged.entity_identifier_name };
}

describe('A service over a table whose route has parameters with other names than the columns', () => {
  it('keeps them when its route changes around them', () => {
    expect(identifiersAfter({ route: '/planned/shifts[/:day/:who]' })).toEqual({
      route: ['who', 'day'],
      entity: ['Staff ID', 'day'],
    });
  });

  it('has those of its new route', () => {
    expect(identifiersAfter({ route: '/shifts[/:day/:person]' })).toEqual({
      route: ['person', 'day'],
      entity: ['Staff ID', 'day'],
    });
  });

  it('has no others once the route has the names of the columns', () => {
    expect(identifiersAfter({ route: '/shifts[/:day]', identifier: ['day'] })).toEqual({
      route: 'day',
      entity: undefined,
    });
  });
});

describe('A new operation of a service over a table whose operations keep their access', () => {
  const accessOfNew = (
    collection: ConfigObject,
    entity: ConfigObject,
    operation: string,
    more: ConfigObject = {},
  ): unknown => {
    const declaration = { ...current, ...more, collection, entity };
    const edited = toEdited(PLACE, declaration);
    expect(edited.keeps.write || edited.keeps.read).toBe(true);
    const operations = [...edited.input.operations, operation];
    return mergedDeclaration(declaration, { ...edited, input: { ...edited.input, operations } }).entity;
  };

  it('has the access rule of the others', () => {
    const rule = { authorization: ['@admin'] };
    expect(accessOfNew({ POST: rule }, { DELETE: rule }, 'patch')).toEqual({ DELETE: rule, PATCH: rule });
    expect(accessOfNew({ GET: rule }, {}, 'get')).toEqual({ GET: rule });
  });

  it('requires a user if the others have different rules', () => {
    const rule = { authorization: ['@admin'] };
    expect(accessOfNew({ POST: {} }, { DELETE: rule }, 'replace')).toEqual({
      PUT: { authorization: 'authenticated' },
      DELETE: rule,
    });
  });

  it('has the rule of one of the others if each of them names users', () => {
    const [admin, owners] = [{ authorization: ['@admin'] }, { authorization: { policy: 'owners' } }];
    const added = accessOfNew({ POST: admin }, { DELETE: owners }, 'replace');
    expect(added).toEqual({ PUT: admin, DELETE: owners });
  });

  it('has the rule of the service if that names users', () => {
    const [admin, owners] = [{ authorization: ['@admin'] }, { authorization: ['@owners'] }];
    const added = accessOfNew({ POST: {} }, { DELETE: owners }, 'replace', admin);
    expect(added).toEqual({ PUT: {}, DELETE: owners });
    const open = accessOfNew({ POST: {} }, { DELETE: owners }, 'replace', { authorization: 'guest' });
    expect(open).toEqual({ PUT: { authorization: 'authenticated' }, DELETE: owners });
  });
});

describe('The parameters of a route', () => {
  it.each([
    [['id'], ['id'], ['id']],
    [['shop', 'id'], ['id'], ['id']],
    [['number'], ['Staff ID'], ['number']],
    [
      ['b', 'staff_id'],
      ['Staff ID', 'a'],
      ['staff_id', 'b'],
    ],
    [
      ['_2nd', 'staff_id'],
      ['staff_id', '2nd'],
      ['staff_id', '_2nd'],
    ],
    [
      ['staff_id_2', 'staff_id'],
      ['Staff ID', 'staff_id'],
      ['staff_id_2', 'staff_id'],
    ],
    [['id'], ['人'], ['id']],
    [['shop', 'number'], ['Staff ID'], undefined],
    [[], ['id'], undefined],
  ])('%j are for the columns %j: %j', (parameters, columns, expected) => {
    expect(parametersFor(parameters, columns)).toEqual(expected);
  });
});
