import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startDatabasePlatform, type DatabasePlatform } from '../../../../factories/admin/admin-databases';
import { textOf } from '../../../../factories/admin/admin-pages';
import { fieldsOf, withFields } from '../../../../factories/admin/page-form';
import { bodyOf } from '../../../../factories/http/requests';

const FORM = '/databases/shop/tables/products/service';

let platform: DatabasePlatform;
afterEach(() => platform.stop());

const page = async (below: string): Promise<string> => (await platform.ada.get(below)).text();
const local = (): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8')) as Record<
    string,
    unknown
  >;

describe('The form of a new service from a table', () => {
  it('proposes a service that works as it is', async () => {
    platform = await startDatabasePlatform({});
    const form = fieldsOf(await page(FORM), 'route');
    expect(Object.fromEntries(form)).toMatchObject({
      api: 'Shop',
      version: '1',
      name: 'Product',
      route: '/products[/:id]',
      identifier: 'id',
      write_access: 'authenticated',
    });
    const preview = await (await platform.ada.post(FORM, withFields(form, ['write_access', 'guest']))).text();
    const shown = textOf(preview);
    expect(shown).toContain('platform-hosting.apis.Shop.versions.1.services.Product');
    expect(shown).toContain('GET /v1/products/:id everyone');
    expect(shown).toContain('price.gte');
    const saved = await platform.ada.post(FORM, fieldsOf(preview, 'confirm'));
    expect(saved.headers.get('location')).toBe('/platform/admin/databases/shop/tables/products');
    const body = await bodyOf(await platform.request('/products?price.gte=10&sort=price'));
    expect(body.products).toMatchObject([{ name: 'Lamp', price: 30 }]);
    const added = await platform.request('/products', {
      method: 'POST',
      body: JSON.stringify({ name: 'Vase', price: 3 }),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(added.status).toBe(201);
    expect(platform.application.warnings.filter((one) => one.includes('no index serves'))).toEqual([]);
  });

  it('writes what was chosen, and undoes it', async () => {
    platform = await startDatabasePlatform({});
    const form = withFields(
      fieldsOf(await page(FORM), 'route').filter(([name]) => !name.startsWith('filters/')),
      ['name', 'Ware'],
      ['columns', 'id'],
      ['columns', 'name'],
      ['read_only', 'name'],
      ['sort', 'name'],
      ['filters/name', 'starts'],
      ['filters/price', 'gte'],
      ['operations', 'list'],
      ['operations', 'patch'],
      ['page_size', '3'],
    );
    const preview = await (await platform.ada.post(FORM, form)).text();
    await platform.ada.post(FORM, fieldsOf(preview, 'confirm'));
    expect(local()).toMatchObject({
      'platform-hosting': {
        apis: {
          Shop: {
            versions: {
              1: {
                services: {
                  Ware: {
                    columns: { id: {}, name: { read_only: true } },
                    filters: { name: ['starts'] },
                    page_size: 3,
                    collection: { GET: { sort: ['name'] } },
                    entity: { PATCH: { authorization: 'authenticated' } },
                  },
                },
              },
            },
          },
        },
      },
    });
    expect((await platform.request('/products')).status).toBe(200);
    expect((await platform.request('/products/1', { method: 'PATCH', body: '{}' })).status).toBe(403);
    expect(textOf(await page('/databases/shop/tables/products'))).toContain('Added the service "Ware"');
    const revision = await platform.ada.post('/revisions/1/undo', {});
    const undo = await platform.ada.post('/revisions/1/undo', fieldsOf(await revision.text(), 'confirm'));
    expect([undo.status, (await platform.request('/products')).status]).toEqual([303, 404]);
  });

  it('shows bad input next to its field, and keeps it', async () => {
    platform = await startDatabasePlatform();
    const form = fieldsOf(await page(FORM), 'route');
    const answer = await platform.ada.post(
      FORM,
      withFields(
        form.filter(([name]) => name !== 'operations'),
        ['name', 'Product'],
        ['version', 'two'],
        ['route', '/nothing'],
        ['page_size', '0'],
        ['filters/id', 'contains'],
        ['columns', 'name'],
      ),
    );
    const html = await answer.text();
    expect(answer.status).toBe(422);
    for (const field of ['version', 'route', 'page_size', 'operations', 'columns'])
      expect(html).toContain(`id="${field}-error"`);
    expect(html).toContain('value="two"');
    expect(html).toContain('value="/nothing"');
    expect(textOf(html)).toContain('The column "id" identifies an entity. Include it.');
    const taken = await platform.ada.post(
      FORM,
      withFields(form, ['name', 'Product'], ['filters/price', 'starts']),
    );
    const text = textOf(await taken.text());
    expect(text).toContain('Service "Product" already exists in Shop-v1.');
    expect(text).toContain(
      'The column "price" (INTEGER) has no filter starts. Available: eq, ne, lt, lte, gt, gte, in.',
    );
  });

  it('proposes a free name and route next to an existing service', async () => {
    platform = await startDatabasePlatform({
      Product: {
        kind: 'table',
        adapter_name: 'shop',
        table_name: 'products',
        columns: { id: {} },
        route: '/products[/:id]',
        route_identifier_name: 'id',
        collection: { GET: {} },
      },
    });
    expect(Object.fromEntries(fieldsOf(await page(FORM), 'route'))).toMatchObject({
      name: 'Product2',
      route: '/shop/products[/:id]',
    });
    const taken = await platform.ada.post(
      FORM,
      withFields(fieldsOf(await page(FORM), 'route'), ['api', 'Other'], ['route', '/products[/:id]']),
    );
    expect(textOf(await taken.text())).toContain('The route is in use by Shop /products[/:id].');
  });

  it('leads back from the review to the form, with its input', async () => {
    platform = await startDatabasePlatform({});
    const form = withFields(fieldsOf(await page(FORM), 'route'), ['name', 'Ware']);
    const preview = await (await platform.ada.post(FORM, form)).text();
    const again = await (
      await platform.ada.post(FORM, [...fieldsOf(preview, 'confirm'), ['edit', 'yes']])
    ).text();
    expect(fieldsOf(again, 'route').filter(([name]) => name !== 'csrf')).toEqual(
      expect.arrayContaining(form.filter(([name]) => name !== 'csrf')),
    );
  });

  it('offers a view for reading only, and hides columns whose names are those of secrets', async () => {
    platform = await startDatabasePlatform(
      {},
      { sql: 'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, password_hash TEXT);' },
    );
    const view = await page('/databases/shop/tables/cheap/service');
    expect(view).not.toContain('write_access');
    const preview = await platform.ada.post('/databases/shop/tables/cheap/service', fieldsOf(view, 'route'));
    expect([preview.status, textOf(await preview.text())]).toEqual([
      200,
      expect.stringContaining('GET /v1/cheap/:id') as string,
    ]);
    const users = fieldsOf(await page('/databases/shop/tables/users/service'), 'route');
    expect(users.filter(([name]) => name === 'columns').map(([, value]) => value)).toEqual(['id', 'name']);
  });
});
