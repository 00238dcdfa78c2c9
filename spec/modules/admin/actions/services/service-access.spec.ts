import { readFileSync } from 'node:fs';
import path from 'node:path';
import { memberAt, objectOf, type ConfigObject } from '../../../../../src/framework';
import { PASSWORD } from '../../../../factories/admin/admin';
import { productService, startDatabasePlatform } from '../../../../factories/admin/admin-databases';
import { configure } from '../../../../factories/configure';
import { fieldsOf } from '../../../../factories/admin/page-form';
import { basic, bodyOf, sendJson } from '../../../../factories/http/requests';
import { reusedPlatform } from '../../../../factories/reused-platform';

const API = '/platform/admin/api/v1';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };
const store = {
  adapter: 'HttpAdapter',
  options: { accept_schemes: ['basic'], realm: 'Store', htpasswd: 'data/store.htpasswd' },
};
const RULE = ['manager'];

const { platform } = reusedPlatform(() =>
  startDatabasePlatform(undefined, {
    hasAtlas: true,
    files: { 'data/store.htpasswd': '' },
    local: { 'platform-mvc-auth': { authentication: { adapters: { store } } } },
  }),
);

/** Sends a request to the admin API, which succeeds. */
async function send(method: string, below: string, value: unknown): Promise<unknown> {
  const response = await platform.request(API + below, sendJson(value, method, AS_ADA));
  expect([method, below, response.status < 300 ? 'done' : await response.text()]).toEqual([
    method,
    below,
    'done',
  ]);
  return response.status === 204 ? undefined : await bodyOf(response);
}

const map = (key: string): Promise<unknown> =>
  send('PUT', `/map/${encodeURIComponent(key)}`, { adapters: ['store'] });
const remove = (below: string): Promise<Response> =>
  platform.request(API + below, { method: 'DELETE', headers: AS_ADA });
const copy = (from: string, to: number): Promise<unknown> =>
  send('POST', '/version-copies', { api_version: from, to });
const setRule = (version: string, service: string, part: string, method: string): Promise<unknown> =>
  send('PATCH', `/authorization/${version}`, { rules: [{ service, part, method, rule: RULE }] });
const configured = (...below: readonly string[]): unknown =>
  platform.application.configuration.valueAt(['platform-mvc-auth', ...below]);
const rules = (...below: readonly string[]): unknown => configured('authorization', ...below);
const adapters = (key: string): unknown => configured('authentication', 'map', key);
const statusOf = async (method: string, target: string): Promise<number> =>
  (await platform.request(target, method === 'GET' ? {} : sendJson({ name: 'Vase', price: 3 }, method)))
    .status;

/** Sets the rules of all versions, which the admin only sets for single versions. */
async function setForAllVersions(value: ConfigObject): Promise<void> {
  const file = path.join(platform.root, 'config/autoload/local.json');
  const local = JSON.parse(readFileSync(file, 'utf8')) as ConfigObject;
  const section = objectOf(local['platform-mvc-auth']);
  const authorization = { ...objectOf(section.authorization), Shop: value };
  configure(platform.root, { ...local, 'platform-mvc-auth': { ...section, authorization } });
  await platform.host.reload();
}

describe('A new version', () => {
  it('has the access rules and the adapters of the version that it is a copy of', async () => {
    await map('Shop-v1');
    await map('Shop-v1/Product');
    await setRule('Shop-v1', 'Product', 'collection', 'POST');
    expect(await statusOf('POST', '/v1/shop/products')).toBe(401);
    await copy('Shop-v1', 2);
    expect(await statusOf('POST', '/v2/shop/products')).toBe(401);
    expect([adapters('Shop-v2'), adapters('Shop-v2/Product')]).toEqual(['store', 'store']);
    expect(rules('Shop-v2')).toEqual({ Product: { collection: { POST: RULE } } });
  });

  it('has those of a version in code', async () => {
    await setRule('Atlas-v1', 'Country', 'collection', 'GET');
    expect(await statusOf('GET', '/v1/atlas/countries')).toBe(401);
    await copy('Atlas-v1', 9);
    expect(await statusOf('GET', '/v9/atlas/countries')).toBe(401);
  });

  it('is the default unless the default version is kept', async () => {
    await copy('Shop-v1', 2);
    const defaultVersion = (): unknown =>
      platform.application.configuration.valueAt(['platform-hosting', 'apis', 'Shop', 'default_version']);
    expect(defaultVersion()).toBe(1);
    await send('POST', '/version-copies', { api_version: 'Shop-v1', to: 3, keep_default: false });
    expect(defaultVersion()).toBeUndefined();
  });
});

describe('A service with another name', () => {
  const rename = async (service: string, name: string): Promise<void> => {
    const page = `/apis/${service}/edit`;
    const form = fieldsOf(await (await platform.ada.get(page)).text(), 'route');
    const renamed = form.map(([key, value]): [string, string] => [key, key === 'name' ? name : value]);
    const review = await (await platform.ada.post(page, renamed)).text();
    expect((await platform.ada.post(page, fieldsOf(review, 'confirm'))).status).toBe(303);
  };

  it('keeps its access rules and its adapter', async () => {
    await map('Shop-v1/Product');
    await setRule('Shop-v1', 'Product', 'collection', 'POST');
    await rename('Shop-v1/services/Product', 'Ware');
    expect(await statusOf('POST', '/shop/products')).toBe(401);
    expect([adapters('Shop-v1/Product'), adapters('Shop-v1/Ware')]).toEqual([undefined, 'store']);
    expect(rules('Shop-v1')).toEqual({ Ware: { collection: { POST: RULE } } });
  });

  it('keeps those of all versions', async () => {
    await map('Shop/Product');
    await copy('Shop-v1', 2);
    await setRule('Shop-v2', 'Product', 'entity', 'GET');
    await setForAllVersions({ Product: { collection: { POST: RULE }, entity: { GET: 'guest' } } });
    await rename('Shop-v2/services/Product', 'Ware');
    expect(await statusOf('POST', '/v2/shop/products')).toBe(401);
    expect(rules('Shop-v2')).toEqual({ Ware: { collection: { POST: RULE }, entity: { GET: RULE } } });
    expect([adapters('Shop/Product'), adapters('Shop-v2/Ware')]).toEqual(['store', 'store']);
    await rename('Shop-v1/services/Product', 'Ware');
    expect(await statusOf('POST', '/v1/shop/products')).toBe(401);
    expect([adapters('Shop/Product'), rules('Shop')]).toEqual([undefined, {}]);
  });
});

describe('A service', () => {
  it('is removed with the rules and adapters of all versions if no other version has it', async () => {
    await copy('Shop-v1', 2);
    await send('POST', '/apis/Shop-v2/services', {
      name: 'Only',
      declaration: { ...productService, route: '/only[/:id]' },
    });
    await map('Shop/Only');
    await map('Shop/Product');
    await setForAllVersions({ Only: { collection: { GET: RULE } }, Product: { collection: { GET: RULE } } });
    expect((await remove('/apis/Shop-v2/services/Product')).status).toBe(204);
    expect((await remove('/apis/Shop-v2/services/Only')).status).toBe(204);
    expect([adapters('Shop/Only'), adapters('Shop/Product')]).toEqual([undefined, 'store']);
    expect(rules('Shop')).toEqual({ Product: { collection: { GET: RULE } } });
  });

  it('is removed with its version, with the rules and adapters of all versions if no other version has it', async () => {
    await copy('Shop-v1', 2);
    await send('POST', '/apis/Shop-v2/services', {
      name: 'Only',
      declaration: { ...productService, route: '/only[/:id]' },
    });
    await map('Shop/Only');
    expect((await remove('/api-versions/Shop-v2')).status).toBe(204);
    expect(adapters('Shop/Only')).toBeUndefined();
  });

  it('is removed with the rules of versions that inherit it', async () => {
    await send('POST', '/apis/Atlas-v1/services', {
      name: 'Product',
      declaration: { ...productService, route: '/atlas/products[/:id]' },
    });
    await setRule('Atlas-v1', 'Product', 'collection', 'POST');
    await copy('Atlas-v1', 9);
    expect(rules('Atlas-v9')).toEqual({ Product: { collection: { POST: RULE } } });
    expect((await remove('/apis/Atlas-v1/services/Product')).status).toBe(204);
    expect(memberAt(rules('Atlas-v9'), ['Product'])).toBeUndefined();
  });

  it('loses an operation with its rule', async () => {
    await setRule('Shop-v1', 'Product', 'collection', 'POST');
    await setRule('Shop-v1', 'Product', 'collection', 'GET');
    await setRule('Shop-v1', 'Product', 'entity', 'GET');
    const declaration = { ...productService, collection: { GET: {} }, entity: undefined };
    await send('PUT', '/apis/Shop-v1/services/Product', { declaration });
    expect(rules('Shop-v1')).toEqual({ Product: { collection: { GET: RULE } } });
  });
});
