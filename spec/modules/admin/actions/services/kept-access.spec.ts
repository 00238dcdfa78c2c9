import { readFileSync } from 'node:fs';
import path from 'node:path';
import { objectOf, type ConfigObject } from '../../../../../src/framework';
import { ContainerModule } from '../../../../../src/platform';
import {
  PASSWORD,
  startAdminPlatform,
  WITH_ADMIN,
  type AdminPlatform,
} from '../../../../factories/admin/admin';
import { productService, startDatabasePlatform } from '../../../../factories/admin/admin-databases';
import { configure } from '../../../../factories/configure';
import { fieldsOf } from '../../../../factories/admin/page-form';
import { basic, sendJson } from '../../../../factories/http/requests';

const API = '/platform/admin/api/v1';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };
const RULE = ['manager'];

let platform: AdminPlatform;
afterEach(() => platform.stop());

const configured = (...path: readonly string[]): unknown => platform.application.configuration.valueAt(path);
const rules = (key: string): unknown => configured('platform-mvc-auth', 'authorization', key);
const adapters = (key: string): unknown => configured('platform-mvc-auth', 'authentication', 'map', key);
const statusOf = async (target: string, method = 'GET'): Promise<number> =>
  (await platform.request(target, method === 'GET' ? {} : sendJson({}, method))).status;

/** Sends a request to the admin API, which succeeds. */
async function send(method: string, below: string, value: unknown): Promise<void> {
  const response = await platform.request(API + below, sendJson(value, method, AS_ADA));
  expect(response.status < 300 ? 'done' : await response.text()).toBe('done');
}

/** Returns rules as `local.json` has them. */
function writtenRules(key: string): unknown {
  const text = readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8');
  return objectOf(objectOf(objectOf(JSON.parse(text))['platform-mvc-auth']).authorization)[key];
}

const replace = (service: string, declaration: ConfigObject): Promise<void> =>
  send('PUT', `/apis/Shop-v1/services/${service}`, { declaration });

async function rename(service: string, name: string): Promise<void> {
  const page = `/apis/${service}/edit`;
  const form = fieldsOf(await (await platform.ada.get(page)).text(), 'route');
  const renamed = form.map(([key, value]): [string, string] => [key, key === 'name' ? name : value]);
  const review = await (await platform.ada.post(page, renamed)).text();
  expect((await platform.ada.post(page, fieldsOf(review, 'confirm'))).status).toBe(303);
}

/** Changes a section by hand. */
async function setByHand(key: string, below: readonly string[], value: unknown): Promise<void> {
  const local = JSON.parse(
    readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8'),
  ) as ConfigObject;
  const [last = '', ...outer] = [key, ...below].reverse();
  let parent: Record<string, unknown> = local;
  for (const one of outer.reverse()) parent = (parent[one] ??= {}) as Record<string, unknown>;
  Object.assign(parent, { [last]: value });
  configure(platform.root, local);
  await platform.host.reload();
}

const setRules = (key: string, value: unknown): Promise<void> =>
  setByHand('platform-mvc-auth', ['authorization', key], value);

describe('A service with the name that a service of another version has', () => {
  const guarded = { ...productService, collection: { GET: { authorization: 'authenticated' } } };
  const map = (key: string, names: readonly string[]): Promise<void> =>
    send('PUT', `/map/${encodeURIComponent(key)}`, { adapters: names });

  beforeEach(async () => {
    platform = await startDatabasePlatform({ Product: guarded }, { files: { 'data/store.htpasswd': '' } });
    const options = { accept_schemes: ['basic'], realm: 'Store', htpasswd: 'data/store.htpasswd' };
    await send('POST', '/adapters', { name: 'store', adapter: 'HttpAdapter', options });
    await map('*', ['store']);
    await send('POST', '/version-copies', { api_version: 'Shop-v1', to: 2 });
    await rename('Shop-v2/services/Product', 'Land');
  });

  it('keeps its declared rule, and its adapters, if others are set for that name in all versions', async () => {
    await setRules('Shop', { Land: { collection: { GET: 'guest' } } });
    await map('Shop/Land', []);
    expect(await statusOf('/v2/shop/products')).toBe(200);
    expect(await statusOf('/v1/shop/products')).toBe(401);
    await rename('Shop-v1/services/Product', 'Land');
    expect(await statusOf('/v1/shop/products')).toBe(401);
    expect(rules('Shop-v1')).toEqual({ Land: { collection: { GET: 'authenticated' } } });
    expect(adapters('Shop-v1/Land')).toBe('store');
  });

  it('gets no rules and adapters of its own otherwise', async () => {
    await rename('Shop-v1/services/Product', 'Land');
    expect([rules('Shop-v1'), adapters('Shop-v1/Land')]).toEqual([undefined, undefined]);
    expect(await statusOf('/v1/shop/products')).toBe(401);
  });
});

describe('References to environment variables in rules and adapters', () => {
  const RULES = { collection: { GET: ['user${PORT}'] } };
  const section = (): Record<'authorization' | 'map', Record<string, unknown>> => {
    const text = readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8');
    const { authorization, authentication } = objectOf(objectOf(JSON.parse(text))['platform-mvc-auth']);
    return { authorization: objectOf(authorization), map: objectOf(objectOf(authentication).map) };
  };
  beforeEach(async () => {
    const options = { accept_schemes: ['basic'], realm: 'Store', htpasswd: 'data/store.htpasswd' };
    const adapters = { store0: { adapter: 'HttpAdapter', options } };
    const map = { 'Shop-v1': 'store${PORT}', 'Shop-v1/Product': ['store${PORT}'] };
    const authorization = { 'Shop-v1': { Product: RULES } };
    platform = await startDatabasePlatform(
      { Product: productService },
      {
        files: { 'data/store.htpasswd': '' },
        local: { 'platform-mvc-auth': { authentication: { adapters, map }, authorization } },
      },
    );
  });

  it('are copied with a version', async () => {
    await send('POST', '/version-copies', { api_version: 'Shop-v1', to: 2 });
    const { authorization, map } = section();
    expect(authorization['Shop-v2']).toEqual({ Product: RULES });
    expect([map['Shop-v2'], map['Shop-v2/Product']]).toEqual(['store${PORT}', ['store${PORT}']]);
    expect(rules('Shop-v2')).toEqual({ Product: { collection: { GET: ['user0'] } } });
  });

  it('are kept when the service is renamed', async () => {
    await rename('Shop-v1/services/Product', 'Ware');
    const { authorization, map } = section();
    expect(authorization['Shop-v1']).toEqual({ Ware: RULES });
    expect([map['Shop-v1/Ware'], map['Shop-v1/Product']]).toEqual([['store${PORT}'], undefined]);
  });
});

it('A declared rule with a reference to an environment variable is kept under a name that has a rule', async () => {
  const guarded = { ...productService, collection: { GET: { authorization: ['user${PORT}'] } } };
  platform = await startDatabasePlatform({ Product: guarded });
  await send('POST', '/version-copies', { api_version: 'Shop-v1', to: 2 });
  await rename('Shop-v2/services/Product', 'Land');
  await setRules('Shop', { Land: { collection: { GET: 'guest' } } });
  await rename('Shop-v1/services/Product', 'Land');
  expect(rules('Shop-v1')).toEqual({ Land: { collection: { GET: ['user0'] } } });
  expect(writtenRules('Shop-v1')).toEqual({ Land: { collection: { GET: ['user${PORT}'] } } });
});

describe('A QUERY without its GET', () => {
  const memo = {
    route: '/shop/memos[/:memo_id]',
    route_identifier_name: 'memo_id',
    fields: { type: 'object', properties: { text: { type: 'string' } } },
    collection: { GET: {}, QUERY: {} },
    entity: { GET: {} },
    resource: 'memos',
  };
  const withoutGet = { ...memo, collection: { QUERY: {} } };
  const queries = (...versions: readonly number[]): Promise<number[]> =>
    Promise.all(versions.map((version) => statusOf(`/v${version}/shop/memos`, 'QUERY')));

  async function start(declaration: ConfigObject = memo, versions = ['1']): Promise<void> {
    const resource = { fetchAll: () => [], queryAll: () => [], fetch: () => ({ text: 'a' }) };
    const services = new ContainerModule(({ bind }) => {
      bind('memos').toConstantValue(resource);
    });
    const api = {
      versions: Object.fromEntries(versions.map((one) => [one, { services: { Memo: declaration } }])),
    };
    platform = await startAdminPlatform({
      modules: WITH_ADMIN.filter((name) => name !== 'atlas'),
      extra: [{ name: 'memos', services }],
      local: { 'platform-hosting': { apis: { Shop: api } } },
    });
  }
  const replaceMemo = (declaration: ConfigObject, version = 1): Promise<void> =>
    send('PUT', `/apis/Shop-v${version}/services/Memo`, { declaration });

  it('keeps the configured rule of the GET', async () => {
    await start();
    await setRules('Shop-v1', { Memo: { collection: { GET: 'authenticated' } } });
    expect(await queries(1)).toEqual([403]);
    await replaceMemo(withoutGet);
    expect(await queries(1)).toEqual([403]);
    expect(rules('Shop-v1')).toEqual({ Memo: { collection: { QUERY: 'authenticated' } } });
  });

  it.each(['user${PORT}', '$${PORT}'])(
    'keeps the text of the configured rule of the GET: %s',
    async (text) => {
      await start();
      await setRules('Shop-v1', { Memo: { collection: { GET: [text] } } });
      await replaceMemo(withoutGet);
      expect(writtenRules('Shop-v1')).toEqual({ Memo: { collection: { QUERY: [text] } } });
    },
  );

  it.each(['user${PORT}', '$${PORT}'])('keeps the text of the declared rule of the GET: %s', async (text) => {
    await start({ ...memo, collection: { GET: { authorization: [text] }, QUERY: {} } });
    await replaceMemo(withoutGet);
    expect(writtenRules('Shop-v1')).toEqual({ Memo: { collection: { QUERY: [text] } } });
  });

  it('keeps the declared rule of the GET', async () => {
    await start({ ...memo, collection: { GET: { authorization: 'authenticated' }, QUERY: {} } });
    expect(await queries(1)).toEqual([403]);
    await replaceMemo(withoutGet);
    expect(await queries(1)).toEqual([403]);
  });

  it('has its own rule if it declares one', async () => {
    await start();
    await setRules('Shop-v1', { Memo: { collection: { GET: 'authenticated' } } });
    await replaceMemo({ ...memo, collection: { QUERY: { authorization: 'guest' } } });
    expect(await queries(1)).toEqual([200]);
  });

  it('keeps the rule of all versions when the last version with the GET loses it', async () => {
    await start(memo, ['1', '2']);
    await setRules('Shop', { Memo: { collection: { GET: 'authenticated' } } });
    await replaceMemo(withoutGet);
    expect([await queries(1, 2), rules('Shop-v1')]).toEqual([[403, 403], undefined]);
    await replaceMemo(withoutGet, 2);
    expect(await queries(1, 2)).toEqual([403, 403]);
  });

  it('keeps the rule of all versions when the last version with the GET is removed', async () => {
    await start(memo, ['1', '2']);
    await setRules('Shop', { Memo: { collection: { GET: 'authenticated' } } });
    await replaceMemo(withoutGet);
    const removed = await platform.request(`${API}/api-versions/Shop-v2`, {
      method: 'DELETE',
      headers: AS_ADA,
    });
    expect([removed.status, await queries(1)]).toEqual([204, [403]]);
  });
});

describe('The QUERY of a table', () => {
  const filtered = { ...productService, filters: { price: ['gte'] } };
  const both = { Product: { collection: { GET: RULE, QUERY: RULE } } };

  it.each([
    ['its list', { ...filtered, collection: { POST: {} } }, { Product: { collection: {} } }],
    ['its filters', productService, { Product: { collection: { GET: RULE } } }],
    ['nested filters', { ...filtered, nested_filters: false }, { Product: { collection: { GET: RULE } } }],
  ])('is removed with its rules when the service loses %s', async (_, declaration, left) => {
    platform = await startDatabasePlatform({ Product: filtered });
    await setRules('Shop-v1', both);
    await replace('Product', declaration);
    expect(rules('Shop-v1')).toEqual(left);
  });

  it('keeps its rules with conditions in SQL', async () => {
    platform = await startDatabasePlatform({ Product: filtered });
    await setRules('Shop-v1', both);
    const cheap = { where: 'price < :value' };
    await replace('Product', { ...productService, sql_filters: { below: cheap } });
    expect(rules('Shop-v1')).toEqual(both);
  });
});

describe('The rate limits of a service', () => {
  const limit = { limit: 100, window: 60, per: 'user' };
  const strict = { limit: 5, window: 60, per: 'user' };
  const limits = (): unknown => configured('platform-rate-limits');
  const start = async (value: ConfigObject): Promise<void> => {
    platform = await startDatabasePlatform();
    await setByHand('platform-rate-limits', [], value);
  };
  const remove = async (below: string): Promise<number> =>
    (await platform.request(API + below, { method: 'DELETE', headers: AS_ADA })).status;

  it('are those of its new name', async () => {
    await start({
      'Shop-v1/Product': [limit],
      'Shop/Product': [strict, { ...limit, window: 3600 }],
      'Shop-v1/Product collection GET': [strict],
    });
    await rename('Shop-v1/services/Product', 'Ware');
    expect(limits()).toEqual({
      'Shop-v1/Ware': [strict, { ...limit, window: 3600 }],
      'Shop-v1/Ware collection GET': [strict],
    });
  });

  it('are copied to a new version, and removed with it', async () => {
    const first = { 'Shop-v1': [limit], 'Shop-v1/Product': [strict], 'Shop-v1/Product entity GET': [strict] };
    await start({ '*': [limit], Shop: [limit], ...first });
    await send('POST', '/version-copies', { api_version: 'Shop-v1', to: 2 });
    expect(limits()).toEqual({
      '*': [limit],
      Shop: [limit],
      ...first,
      'Shop-v2': [limit],
      'Shop-v2/Product': [strict],
      'Shop-v2/Product entity GET': [strict],
    });
    expect(await remove('/api-versions/Shop-v2')).toBe(204);
    expect(limits()).toEqual({ '*': [limit], Shop: [limit], ...first });
  });

  it('are removed with the service, and with its operations', async () => {
    await start({ Shop: [limit], 'Shop/Product': [limit], 'Shop-v1/Product collection POST': [limit] });
    await replace('Product', { ...productService, collection: { GET: {} } });
    expect(limits()).toEqual({ Shop: [limit], 'Shop/Product': [limit] });
    const other = { ...productService, route: '/others[/:id]' };
    await send('POST', '/apis/Shop-v1/services', { name: 'Other', declaration: other });
    expect(await remove('/apis/Shop-v1/services/Product')).toBe(204);
    expect(limits()).toEqual({ Shop: [limit] });
  });
});
