import type { ConfigObject } from '../../../../../src/framework';
import {
  submittedProcedure,
  toProcedure,
} from '../../../../../src/modules/admin/screens/services/procedure-form';
import { submittedForm, toDeclaration } from '../../../../../src/modules/admin/screens/services/service-form';
import { startDatabasePlatform, type DatabasePlatform } from '../../../../factories/admin/admin-databases';
import { textOf } from '../../../../factories/admin/admin-pages';
import { fieldsOf, type FormFields } from '../../../../factories/admin/page-form';

const LINES = 'First.\n\nSecond.';

const note = (path: string, more: ConfigObject): ConfigObject => ({
  route: `/${path}[/:id]`,
  route_identifier_name: 'id',
  resource: 'not-implemented',
  fields: { type: 'object', properties: { id: { type: 'string' } } },
  collection: { GET: {} },
  ...more,
});
const id: ConfigObject = { type: 'string' };

/** The column of an expression has no type: clients only read it, and filter by some operators. */
const SQL = 'CREATE VIEW codes AS SELECT id, upper(name) AS code FROM products;';

const declared: Readonly<Record<string, ConfigObject>> = {
  Lines: note('lines', {
    description: LINES,
    fields: { type: 'object', properties: { id: { type: 'string', description: LINES } } },
  }),
  Tags: note('tags', { tags: ['texts, notes', 'plain'] }),
  Procedure: {
    kind: 'procedure',
    adapter_name: 'shop',
    route: '/dearer',
    read_only: true,
    sql: 'select name from products\nwhere price >= :price',
    description: LINES,
    parameters: { price: { type: 'integer', description: LINES } },
  },
  Table: {
    kind: 'table',
    adapter_name: 'shop',
    table_name: 'products',
    description: LINES,
    route: '/products[/:id]',
    route_identifier_name: 'id',
    columns: { id: {}, name: {} },
    collection: { GET: {} },
  },
  Untyped: {
    kind: 'table',
    adapter_name: 'shop',
    table_name: 'codes',
    route: '/codes[/:id]',
    route_identifier_name: 'id',
    columns: { id: { read_only: false }, code: { read_only: true } },
    filters: { id: ['gte'], code: ['eq', 'in'] },
    collection: { GET: {} },
  },
  ReadOnly: {
    kind: 'table',
    adapter_name: 'shop',
    table_name: 'products',
    route: '/read-only[/:id]',
    route_identifier_name: 'id',
    columns: { id: {}, name: { schema: { readOnly: true } } },
    collection: { GET: {}, POST: {} },
  },
  Names: note('names', {
    fields: { type: 'object', properties: { id, '@id': id, größe: { type: 'number' } } },
  }),
  Required: note('required', { fields: { type: 'object', properties: { id }, required: ['id', 'other'] } }),
  NoRequired: note('norequired', { fields: { properties: { id }, required: [], type: 'object' } }),
  Booleans: note('booleans', { fields: { type: 'object', properties: { id, no: false, any: true } } }),
  Types: note('types', { fields: { type: ['object', 'null'], properties: { id } } }),
};

let platform: DatabasePlatform;
beforeAll(async () => {
  platform = await startDatabasePlatform(declared, { sql: SQL });
});
afterAll(() => platform.stop());

const editOf = (name: string): string => `/apis/Shop-v1/services/${name}/edit`;
const fieldsIn = async (name: string): Promise<FormFields> =>
  fieldsOf(await (await platform.ada.get(editOf(name))).text(), 'route');

describe('The form of a service that is submitted unchanged', () => {
  it.each(Object.keys(declared))('changes nothing: %s', async (name) => {
    const answer = await platform.ada.post(editOf(name), await fieldsIn(name));
    expect([answer.status, textOf(await answer.text())]).toEqual([
      422,
      expect.stringContaining('No changes to save.') as string,
    ]);
  });
});

describe('The form of a service', () => {
  it('shows the lines of descriptions', async () => {
    for (const name of ['Lines', 'Procedure']) {
      const fields = Object.fromEntries(await fieldsIn(name));
      expect([fields.description, fields['fields/0/description']]).toEqual([LINES, LINES]);
    }
  });

  it('shows a column as read-only that its schema excludes from requests', async () => {
    const html = await (await platform.ada.get(editOf('ReadOnly'))).text();
    expect(html).not.toContain('name is read-only');
    expect(html).toContain('price is read-only');
  });

  it('changes one part of a schema only', async () => {
    const fields = (await fieldsIn('Booleans')).map(
      ([name, value]) => [name, name === 'fields/0/description' ? 'One.' : value] as const,
    );
    const review = textOf(await (await platform.ada.post(editOf('Booleans'), fields)).text());
    expect(review).toContain('fields.properties.id.description');
    expect(review).not.toContain('properties.no');
  });
});

describe('A route that begins with a reference to an environment variable', () => {
  const route = '${BASE}/notes';
  const procedure: ConfigObject = { kind: 'procedure', adapter_name: 'shop', route, sql: 'select 1 as one' };
  const service = note('notes', { route });
  const formWith = (one: string): URLSearchParams =>
    new URLSearchParams({
      route: one,
      adapter_name: 'shop',
      sql: 'select 2 as one',
      operations: 'collection.GET',
    });

  it('is accepted unchanged', () => {
    expect(toProcedure(submittedProcedure(formWith(route)), procedure).route).toBe(route);
    expect(toDeclaration(submittedForm(formWith(route), service), service).route).toBe(route);
  });

  it('is not accepted instead of another one', () => {
    const other = formWith('${BASE}/others');
    const errors = [{ pointer: '/route', message: 'Begin the route with "/".' }];
    for (const action of [
      () => toProcedure(submittedProcedure(other), procedure),
      () => toDeclaration(submittedForm(other, service), service),
    ])
      expect(action).toThrow(expect.objectContaining({ extensions: { errors } }) as Error);
  });
});
