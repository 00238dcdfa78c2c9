import { inputErrors } from '../../../../../src/modules/admin/actions/services/table-service-errors';
import type { TableServiceInput } from '../../../../../src/modules/admin/actions/services/table-service-input';
import { proposeService } from '../../../../../src/modules/database/inspection/table-proposal';

const column = { type: 'text', declared: 'TEXT', isNullable: false } as const;
const proposal = proposeService({
  name: 'sizes',
  kind: 'table',
  columns: { 'size, cm': column, size: column, ' cm': column },
  primaryKey: ['size, cm'],
  unique: [],
  indexes: [],
  foreignKeys: [],
});

const errorsOf = (given: Partial<TableServiceInput>): ReturnType<typeof inputErrors> =>
  inputErrors(
    {
      adapter: 'shop',
      table: 'sizes',
      api: 'Shop',
      version: 1,
      name: 'Size',
      description: '',
      route: proposal.route,
      identifier: ['size, cm'],
      collectionName: 'sizes',
      pageSize: 25,
      columns: ['size, cm', 'size', ' cm'],
      readOnly: [],
      filters: {},
      sort: [],
      operations: ['list'],
      readAccess: undefined,
      writeAccess: undefined,
      ...given,
    },
    proposal,
  );

const pointersOf = (identifier: readonly string[]): readonly string[] =>
  errorsOf({ identifier }).map(({ pointer }) => pointer);

it('A key of one column is not one of several columns whose names it has with a comma', () => {
  expect(pointersOf(['size', ' cm'])).toContain('/identifier');
  expect(pointersOf(['size, cm'])).not.toContain('/identifier');
});

it('Keys whose names differ in a comma only are proposed both', () => {
  const columns = { id: column, 'a,b': column, a: column, b: column };
  const unique = [['a,b'], ['a', 'b']];
  const table = {
    name: 'sizes',
    kind: 'table',
    columns,
    primaryKey: ['id'],
    indexes: [],
    foreignKeys: [],
  } as const;
  expect(proposeService({ ...table, unique }).identifiers).toEqual([['id'], ...unique]);
});

it.each(['list', 'create'])('A route without a path of the collection is refused for %s', (operation) => {
  expect(errorsOf({ route: '/sizes/:size', operations: ['get', operation] })).toEqual([
    {
      pointer: '/route',
      message: `Each path of the route is that of an entity: no request reaches ${operation}. End it with [/:size].`,
    },
  ]);
  expect(errorsOf({ route: '/sizes[/:size]', operations: ['get', operation] })).toEqual([]);
});

it('A route without a path of the collection may be that of operations of entities', () => {
  expect(errorsOf({ route: '/sizes/:size', operations: ['get', 'delete'] })).toEqual([]);
});
