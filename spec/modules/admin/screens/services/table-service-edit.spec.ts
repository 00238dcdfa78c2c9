import { readFileSync } from 'node:fs';
import path from 'node:path';
import { memberAt, type ConfigObject } from '../../../../../src/framework';
import { startDatabasePlatform, type DatabasePlatform } from '../../../../factories/admin/admin-databases';
import { textOf } from '../../../../factories/admin/admin-pages';
import { fieldsOf, type FormFields } from '../../../../factories/admin/page-form';

let platform: DatabasePlatform;
afterEach(() => platform.stop());

const editOf = (name: string): string => `/apis/Shop-v1/services/${name}/edit`;
const formOf = async (name: string): Promise<FormFields> =>
  fieldsOf(await (await platform.ada.get(editOf(name))).text(), 'route');

/** The declaration of a service after its form was saved with another description. */
async function described(name: string): Promise<unknown> {
  const form = await formOf(name);
  const fields = form.map(([key, value]) => [key, key === 'description' ? 'Other.' : value] as const);
  const review = await (await platform.ada.post(editOf(name), fields)).text();
  expect(textOf(review)).toContain('Difference');
  expect((await platform.ada.post(editOf(name), fieldsOf(review, 'confirm'))).status).toBe(303);
  const local: unknown = JSON.parse(
    readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8'),
  );
  return memberAt(local, ['platform-hosting', 'apis', 'Shop', 'versions', '1', 'services', name]);
}

const SQL = `
  CREATE TABLE shifts (day TEXT, who TEXT, "constructor" TEXT, "toString" TEXT, PRIMARY KEY (day, who));
  CREATE INDEX shifts_by_constructor ON shifts ("constructor", day, who);
  CREATE VIEW planned AS SELECT day, who FROM shifts;
  CREATE TABLE sizes ("size, 100 %" TEXT PRIMARY KEY NOT NULL, name TEXT);`;

const over = (table: string, more: ConfigObject): ConfigObject => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name: table,
  columns: { day: {}, who: {} },
  page_size: 25,
  collection_name: 'items',
  collection: { GET: {} },
  entity: { GET: {} },
  ...more,
});

describe('The form of a service over a table', () => {
  it.each([
    ['a view by several columns', 'planned', ['day', 'who']],
    ['a table by its key in another order', 'shifts', ['who', 'day']],
  ])('keeps what identifies an entity: %s', async (_, table, identifier) => {
    const declared = over(table, {
      route: `/shifts[/:${identifier.join('/:')}]`,
      route_identifier_name: identifier,
    });
    platform = await startDatabasePlatform({ Shift: declared }, { sql: SQL });
    expect(Object.fromEntries(await formOf('Shift')).identifier).toBe(identifier.join(','));
    expect(await described('Shift')).toEqual({ ...declared, description: 'Other.' });
  });

  it('edits columns with the names of members that every object has', async () => {
    const declared = over('shifts', {
      route: '/shifts[/:day/:who]',
      route_identifier_name: ['day', 'who'],
      columns: { day: {}, who: {}, constructor: {}, toString: {} },
    });
    platform = await startDatabasePlatform({ Shift: declared }, { sql: SQL });
    const fields = [...(await formOf('Shift')), ['filters/constructor', 'eq'] as const];
    const review = await platform.ada.post(editOf('Shift'), fields);
    expect([review.status, textOf(await review.text())]).toEqual([
      200,
      expect.stringContaining('Shift.filters.constructor') as string,
    ]);
  });

  it('creates services with such columns', async () => {
    platform = await startDatabasePlatform({}, { sql: SQL });
    const below = '/databases/shop/tables/shifts/service';
    const form = await platform.ada.get(below);
    const fields = fieldsOf(await form.text(), 'route');
    expect(fields).toContainEqual(['filters/constructor', 'eq']);
    expect(textOf(await (await platform.ada.post(below, fields)).text())).toContain('"constructor"');
  });

  it('creates services over a table whose key has a comma in its name', async () => {
    platform = await startDatabasePlatform({}, { sql: SQL });
    const below = '/databases/shop/tables/sizes/service';
    const fields = fieldsOf(await (await platform.ada.get(below)).text(), 'route');
    const review = await platform.ada.post(below, fields);
    expect([review.status, textOf(await review.text())]).toEqual([
      200,
      expect.stringContaining('entity_identifier_name + added: "size, 100 %"') as string,
    ]);
  });
});
