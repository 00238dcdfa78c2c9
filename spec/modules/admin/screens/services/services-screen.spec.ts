import { readFileSync } from 'node:fs';
import path from 'node:path';
import { memberAt, type ConfigObject } from '../../../../../src/framework';
import { PASSWORD } from '../../../../factories/admin/admin';
import { startDatabasePlatform } from '../../../../factories/admin/admin-databases';
import { textOf } from '../../../../factories/admin/admin-pages';
import { fieldsOf, withFields, type FormFields } from '../../../../factories/admin/page-form';
import { basic, sendJson } from '../../../../factories/http/requests';
import { reusedPlatform } from '../../../../factories/reused-platform';

const LIST = '/apis/Shop-v1/services';

const { platform } = reusedPlatform(() => startDatabasePlatform(undefined, { hasAtlas: true }));

const page = async (below: string): Promise<string> => (await platform.ada.get(below)).text();
const services = (version = '1'): unknown =>
  memberAt(JSON.parse(readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8')), [
    'platform-hosting',
    'apis',
    'Shop',
    'versions',
    version,
    'services',
  ]);

/** Submits a form, and confirms its review. */
async function save(below: string, fields: FormFields): Promise<string> {
  const preview = await (await platform.ada.post(below, fields)).text();
  expect(textOf(preview)).toContain('Difference');
  const saved = await platform.ada.post(below, fieldsOf(preview, 'confirm'));
  expect(saved.status).toBe(303);
  return textOf(preview);
}

async function createNote(): Promise<string> {
  const form = withFields(
    fieldsOf(await page(`${LIST}/new`), 'route'),
    ['name', 'Note'],
    ['route', '/notes[/:note_id]'],
    ['identifier', 'note_id'],
    ['tags', 'texts, notes'],
    ['page_size', '5'],
    ['operations', 'collection.GET'],
    ['operations', 'collection.POST'],
    ['access/collection.POST', 'ada, @editors'],
    ['fields/0/name', 'note_id'],
    ['fields/1/name', 'title'],
    ['fields/1/description', 'One line.'],
    ['fields/1/constraints', '{"maxLength": 80}'],
    ['fields/1/required', 'yes'],
  );
  return save(`${LIST}/new`, form);
}

describe('The services of a version', () => {
  it('are created with fields and operations, documented, and respond with 501 until they are implemented', async () => {
    expect(await createNote()).toMatch(/POST \/v1\/notes ada, @editors/);
    expect(services()).toMatchObject({
      Note: {
        route: '/notes[/:note_id]',
        tags: ['texts', 'notes'],
        page_size: 5,
        resource: 'not-implemented',
        fields: {
          properties: { title: { type: 'string', description: 'One line.', maxLength: 80 } },
          required: ['note_id', 'title'],
        },
        collection: { GET: {}, POST: { authorization: ['ada', '@editors'] } },
      },
    });
    expect((await platform.request('/notes')).status).toBe(501);
    expect(textOf(await page(LIST))).toMatch(/Note rest \/notes\[\/:note_id\] config\/autoload\/local\.json/);
  });

  it('are copied to a version, and the form proposes none after the highest possible', async () => {
    const form = async (): Promise<FormFields> => fieldsOf(await page(LIST), 'to');
    const highest = String(Number.MAX_SAFE_INTEGER);
    expect(new Map(await form()).get('to')).toBe('2');
    const refused = await platform.ada.post(LIST, withFields(await form(), ['to', '0']));
    expect(textOf(await refused.text())).toContain(`Enter an integer from 1 to ${highest}.`);
    await save(LIST, withFields(await form(), ['to', highest]));
    expect(new Map(await form()).get('to')).toBe('');
  });

  it('keep rules that the form does not change: for nobody, and with names that contain commas', async () => {
    await createNote();
    const api = '/platform/admin/api/v1/apis/Shop-v1/services';
    const headers = { Authorization: basic('ada', PASSWORD) };
    const put = async (name: string, declaration: ConfigObject): Promise<void> => {
      const replaced = await platform.request(`${api}/${name}`, sendJson({ declaration }, 'PUT', headers));
      expect(replaced.status).toBe(200);
    };
    const { Note } = services() as Record<string, ConfigObject>;
    const collection = { GET: { authorization: [] }, POST: { authorization: ['Doe, J'] } };
    await put('Note', { ...Note, collection });
    const form = fieldsOf(await page(`${LIST}/Note/edit`), 'route');
    expect(new Map(form).get('access/collection.GET')).toBe('nobody');
    await save(`${LIST}/Note/edit`, withFields(form, ['description', 'Notes.']));
    expect(services()).toMatchObject({ Note: { description: 'Notes.', collection } });
    const next = fieldsOf(await page(`${LIST}/Note/edit`), 'route');
    const closed = withFields(next, ['access/collection.POST', 'nobody']);
    expect(await save(`${LIST}/Note/edit`, closed)).toMatch(/POST \/v1\/notes nobody/);
    expect(services()).toMatchObject({ Note: { collection: { POST: { authorization: [] } } } });

    const NEW = `${LIST}/procedures/new`;
    const procedure: FormFields = [
      ['name', 'Cheapest'],
      ['adapter_name', 'shop'],
      ['route', '/shop/cheapest'],
      ['sql', 'select name from products'],
      ['access', 'nobody'],
    ];
    await save(NEW, withFields(fieldsOf(await page(NEW), 'sql'), ...procedure));
    expect(services()).toMatchObject({ Cheapest: { authorization: [] } });
    const edit = fieldsOf(await page(`${LIST}/Cheapest/edit`), 'sql');
    await save(`${LIST}/Cheapest/edit`, withFields(edit, ['description', 'The cheapest.']));
    expect(services()).toMatchObject({ Cheapest: { description: 'The cheapest.', authorization: [] } });
  });

  it('over tables keep the order of filters and of sorting that are not changed', async () => {
    const form = fieldsOf(await page(`${LIST}/Product/edit`), 'route');
    const api = '/platform/admin/api/v1/apis/Shop-v1/services/Product';
    const headers = { Authorization: basic('ada', PASSWORD) };
    const [declared = {}] = Object.values(services() as Record<string, ConfigObject>);
    const declaration = {
      ...declared,
      filters: { price: ['eq', 'in', 'gte', 'lte'] },
      collection: { GET: { sort: ['price', 'name', 'id'] } },
    };
    const replaced = await platform.request(api, sendJson({ declaration }, 'PUT', headers));
    expect(replaced.status).toBe(200);
    const edited = fieldsOf(await page(`${LIST}/Product/edit`), 'route');
    expect(edited.length).toBeGreaterThan(form.length);
    await save(`${LIST}/Product/edit`, [
      ...withFields(edited, ['description', 'What is sold.']),
      ['filters/price', 'gt'],
    ]);
    expect(services()).toMatchObject({
      Product: {
        description: 'What is sold.',
        filters: { price: ['eq', 'in', 'gte', 'lte', 'gt'] },
        collection: { GET: { sort: ['price', 'name', 'id'] } },
      },
    });
  });

  it('over tables are edited by the form that creates them; what it does not show is kept', async () => {
    const form = fieldsOf(await page(`${LIST}/Product/edit`), 'route');
    expect(form).toEqual(
      expect.arrayContaining([
        ['columns', 'price'],
        ['operations', 'create'],
        ['identifier', 'id'],
      ]),
    );
    await save(`${LIST}/Product/edit`, [
      ...withFields(
        form,
        ['description', 'What is sold.'],
        ['operations', 'list'],
        ['page_size', '1'],
        ['others', '{"revision": "price"}'],
      ),
      ['columns', 'state'],
      ['filters/price', 'gte'],
    ]);
    expect(services()).toEqual({
      Product: {
        kind: 'table',
        adapter_name: 'shop',
        table_name: 'products',
        route: '/shop/products[/:id]',
        route_identifier_name: 'id',
        columns: { id: {}, name: {}, price: {}, state: {} },
        description: 'What is sold.',
        filters: { price: ['gte'] },
        revision: 'price',
        page_size: 1,
        collection: { GET: {} },
      },
    });
    expect((await platform.request('/shop/products?price.gte=10')).status).toBe(200);
    expect((await platform.request('/shop/products/1')).status).toBe(405);
    const again = fieldsOf(await page(`${LIST}/Product/edit`), 'route');
    expect(Object.fromEntries(again).others).toContain('"revision": "price"');
    const wrong = withFields(again, ['others', '[]'], ['page_size', '0']);
    const refused = await platform.ada.post(`${LIST}/Product/edit`, wrong);
    expect(refused.status).toBe(422);
    await save(`${LIST}/Product/edit`, withFields(again, ['name', 'Ware']));
    expect(Object.keys(services() as object)).toEqual(['Ware']);
  });

  it('over statements are created, checked and edited on screen', async () => {
    const NEW = `${LIST}/procedures/new`;
    const form = withFields(
      fieldsOf(await page(NEW), 'sql'),
      ['name', 'Cheapest'],
      ['adapter_name', 'shop'],
      ['route', '/shop/cheapest'],
      ['sql', 'select name from products\r\nwhere price >= :price'],
      ['access', 'guest'],
      ['fields/0/name', 'price'],
      ['fields/0/type', 'integer'],
      ['fields/0/constraints', '{"minimum": 0}'],
    );
    const mistaken = await platform.ada.post(
      NEW,
      withFields(form, ['sql', 'select nmae from products where price >= :price']),
    );
    expect([mistaken.status, textOf(await mistaken.text())]).toEqual([
      422,
      expect.stringContaining('no such column: nmae') as string,
    ]);
    await save(NEW, form);
    expect(services()).toMatchObject({
      Cheapest: {
        kind: 'procedure',
        adapter_name: 'shop',
        sql: 'select name from products\nwhere price >= :price',
        parameters: { price: { type: 'integer', minimum: 0 } },
        authorization: 'guest',
      },
    });
    expect(await (await platform.request('/shop/cheapest?price=10')).json()).toEqual([{ name: 'Lamp' }]);
    const edit = fieldsOf(await page(`${LIST}/Cheapest/edit`), 'sql');
    await save(`${LIST}/Cheapest/edit`, withFields(edit, ['result', 'value']));
    expect(await (await platform.request('/shop/cheapest?price=10')).json()).toBe('Lamp');
  });

  it('show bad input next to its field', async () => {
    const form = fieldsOf(await page(`${LIST}/new`), 'route');
    const answer = await platform.ada.post(
      `${LIST}/new`,
      withFields(
        form.filter(([name]) => name !== 'operations'),
        ['name', 'Product'],
        ['route', 'notes'],
        ['page_size', '0'],
        ['others', '[]'],
        ['fields/1/name', 'a b'],
        ['fields/1/constraints', '{'],
      ),
    );
    const html = await answer.text();
    expect(answer.status).toBe(422);
    for (const field of [
      'route',
      'page_size',
      'others',
      'operations',
      'fields-1-name',
      'fields-1-constraints',
    ])
      expect(html).toContain(`id="${field}-error"`);
    const taken = await platform.ada.post(`${LIST}/new`, withFields(form, ['name', 'Product']));
    expect(textOf(await taken.text())).toContain('Service "Product" already exists in Shop-v1.');
  });

  it('are removed after a warning that names what disappears', async () => {
    await createNote();
    const shown = await page(`${LIST}/Note/remove`);
    expect(textOf(shown)).toMatch(/What is removed GET \/notes\[\/:note_id\] \(collection\)/);
    await save(`${LIST}/Note/remove`, fieldsOf(shown, 'tag'));
    expect(services()).not.toHaveProperty('Note');
    expect((await platform.request('/notes')).status).toBe(404);
  });

  it('are copied to a new version, which is not the default', async () => {
    await save(LIST, fieldsOf(await page(LIST), 'to'));
    expect(services('2')).toMatchObject({ Product: { table_name: 'products' } });
    expect((await platform.request('/v2/shop/products')).status).toBe(200);
    await save(
      '/apis/Shop-v2/services/Product/remove',
      fieldsOf(await page('/apis/Shop-v2/services/Product/remove'), 'tag'),
    );
    expect((await platform.request('/shop/products')).status).toBe(200);
    const again = await platform.ada.post(LIST, withFields(fieldsOf(await page(LIST), 'to'), ['to', '1']));
    expect(textOf(await again.text())).toContain('Version 1 already exists.');
  });

  it('are removed with their version, and with the last one their API', async () => {
    await save(LIST, fieldsOf(await page(LIST), 'to'));
    const second = await page('/apis/Shop-v2/remove');
    expect(textOf(second)).toMatch(/Requests without a version are answered by version 1.*Product/s);
    await save('/apis/Shop-v2/remove', fieldsOf(second, 'tag'));
    expect((await platform.request('/v2/shop/products')).status).toBe(404);
    expect((await platform.request('/shop/products')).status).toBe(200);
    const last = await page('/apis/Shop-v1/remove');
    expect(textOf(last)).toContain('It is the only version: the API Shop disappears');
    await save('/apis/Shop-v1/remove', fieldsOf(last, 'tag'));
    expect((await platform.request('/shop/products')).status).toBe(404);
    expect(textOf(await page('/apis/Atlas-v1/remove'))).toContain('delete it there');
    expect((await platform.ada.post('/apis/Atlas-v1/remove', {})).status).toBe(409);
  });

  it('in code are shown as such, and cannot be changed', async () => {
    const shown = textOf(await page('/apis/Atlas-v1/services'));
    expect(shown).toMatch(/Country rest \S+ the module "atlas" Not editable here/);
    expect(textOf(await page('/apis/Atlas-v1/services/Country/edit'))).toContain('change it there');
    const answer = await platform.ada.post('/apis/Atlas-v1/services/Country/remove', {});
    expect(answer.status).toBe(409);
    expect(services()).toHaveProperty('Product');
  });
});
