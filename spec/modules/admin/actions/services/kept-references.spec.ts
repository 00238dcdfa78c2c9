import { readFileSync } from 'node:fs';
import path from 'node:path';
import { memberAt, type ConfigObject } from '../../../../../src/framework';
import { PASSWORD, type AdminPlatform } from '../../../../factories/admin/admin';
import { productService, startDatabasePlatform } from '../../../../factories/admin/admin-databases';
import { fieldsOf } from '../../../../factories/admin/page-form';
import { basic, bodyOf, sendJson } from '../../../../factories/http/requests';

const API = '/platform/admin/api/v1';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };
/** The environment of the platform has `PORT=0`. */
const SECRET = 'port 0';
const REFERENCE = 'port ${PORT}';
const LITERAL = 'literal $${PORT}';

const note: ConfigObject = {
  route: '/notes[/:id]',
  route_identifier_name: 'id',
  resource: 'not-implemented',
  description: REFERENCE,
  tags: [REFERENCE, LITERAL],
  fields: { type: 'object', properties: { id: { type: 'string', default: LITERAL } } },
  collection: { GET: {} },
};
const product: ConfigObject = { ...productService, description: REFERENCE };
const count: ConfigObject = {
  kind: 'procedure',
  adapter_name: 'shop${PORT}',
  route: '/count',
  sql: 'select 1 as one',
};
const order: ConfigObject = {
  ...productService,
  adapter_name: 'store${PORT}',
  table_name: 'orders${PORT}',
  route: '/orders[/:id]',
};
/** In another file. */
const memo: ConfigObject = { ...note, route: '/reminders[/:id]' };

let platform: AdminPlatform;
beforeEach(async () => {
  const adapter = 'SqliteAdapter';
  const shop = { adapter, options: { file: 'data/other.sqlite' } };
  const store = { adapter, options: { file: 'data/shop.sqlite' } };
  const apis = { Shop: { versions: { '1': { services: { Reminder: memo } } } } };
  platform = await startDatabasePlatform(
    { Note: note, Product: product, Count: count, Order: order },
    {
      adapters: { shop0: shop, store0: store },
      sql: 'CREATE TABLE orders0 (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL);',
      files: { 'config/autoload/apis.global.json': JSON.stringify({ 'platform-hosting': { apis } }) },
    },
  );
});
afterEach(() => platform.stop());

const send = (method: string, below: string, value: unknown): Promise<Response> =>
  platform.request(API + below, sendJson(value, method, AS_ADA));
/** Returns a service as the configuration file has it. */
function written(version: number, service: string): unknown {
  const text = readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8');
  const below = ['platform-hosting', 'apis', 'Shop', 'versions', String(version), 'services', service];
  return memberAt(JSON.parse(text), below);
}
const description = (version: number, service: string): unknown =>
  platform.application.configuration.valueAt([
    ...['platform-hosting', 'apis', 'Shop', 'versions', String(version), 'services'],
    ...[service, 'description'],
  ]);
async function declared(service: string): Promise<ConfigObject> {
  const response = await platform.request(`${API}/apis/Shop-v1/services/${service}`, { headers: AS_ADA });
  return (await bodyOf(response)).declaration as ConfigObject;
}

/** Changes fields of the form of a service. */
async function edit(service: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const page = `/apis/Shop-v1/services/${service}/edit`;
  const html = await (await platform.ada.get(page)).text();
  expect(html).not.toContain(SECRET);
  const form = fieldsOf(html, 'route').map(([key, value]): [string, string] => [key, fields[key] ?? value]);
  const review = await (await platform.ada.post(page, form)).text();
  expect((await platform.ada.post(page, fieldsOf(review, 'confirm'))).status).toBe(303);
}

describe('References to environment variables in services', () => {
  it('are shown instead of the values', async () => {
    expect(await declared('Note')).toEqual(note);
    expect(await declared('Product')).toEqual(product);
  });

  it('are copied with a version', async () => {
    const copied = await send('POST', '/version-copies', { api_version: 'Shop-v1', to: 2 });
    expect(copied.status).toBe(201);
    expect([written(2, 'Note'), written(2, 'Product')]).toEqual([note, product]);
    expect(description(2, 'Note')).toBe(SECRET);
  });

  it('are kept when the service is replaced by what was shown, or by the values', async () => {
    for (const text of [REFERENCE, SECRET]) {
      const declaration = { ...note, description: text, route: `/${text.length}[/:id]` };
      const replaced = await send('PUT', '/apis/Shop-v1/services/Note', { declaration });
      expect(replaced.status).toBe(200);
      expect(written(1, 'Note')).toEqual({ ...declaration, description: REFERENCE });
    }
  });

  it('are kept when the service is renamed or edited on its page', async () => {
    await edit('Note', { name: 'Memo', route: '/memos[/:id]' });
    expect(written(1, 'Memo')).toEqual({ ...note, route: '/memos[/:id]' });
    await edit('Product', { name: 'Ware' });
    expect(written(1, 'Ware')).toEqual(product);
    await edit('Count', { route: '/counts' });
    expect(written(1, 'Count')).toEqual({ ...count, route: '/counts' });
  });

  it('are kept in the database and the table of a service, which is edited by its own form', async () => {
    const page = await (await platform.ada.get('/apis/Shop-v1/services/Order/edit')).text();
    expect(page).toContain('name="collection_name"');
    await edit('Order', { collection_name: 'orders' });
    expect(written(1, 'Order')).toEqual({ ...order, collection_name: 'orders' });
    await edit('Order', { name: 'Purchase' });
    expect(written(1, 'Purchase')).toEqual({ ...order, collection_name: 'orders' });
  });

  it('are kept in lists of another file', async () => {
    const tags = [REFERENCE, LITERAL, 'new'];
    const replaced = await send('PUT', '/apis/Shop-v1/services/Reminder', { declaration: { ...memo, tags } });
    expect([replaced.status, written(1, 'Reminder')]).toEqual([200, { tags }]);
    for (const more of [{ tags: [...tags, 'x${PORT}'] }, { summary: REFERENCE }]) {
      const declaration = { ...memo, tags, ...more };
      expect((await send('PUT', '/apis/Shop-v1/services/Reminder', { declaration })).status).toBe(422);
    }
  });

  it('are not added to other parts of a copy', async () => {
    const declaration = { ...note, route: '/${PORT}[/:id]' };
    const replaced = await send('PUT', '/apis/Shop-v1/services/Note', { declaration });
    expect([replaced.status, JSON.stringify(await bodyOf(replaced))]).toEqual([
      422,
      expect.stringContaining('written as $${NAME}') as string,
    ]);
    const page = '/apis/Shop-v1/services/Note/edit';
    const form = fieldsOf(await (await platform.ada.get(page)).text(), 'route');
    const renamed = form.map(([key, value]): [string, string] => [
      key,
      { name: 'Memo', route: '/${PORT}[/:id]' }[key] ?? value,
    ]);
    expect((await platform.ada.post(page, renamed)).status).toBe(422);
  });
});
