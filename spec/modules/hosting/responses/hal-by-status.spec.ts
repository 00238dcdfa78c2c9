import { created, defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';

const known = new Set<string>();
const Key = defineRestService({
  selector: 'HalJson',
  route: '/keys/:key_id',
  route_identifier_name: 'key_id',
  fields: Type.Object({ key_id: Type.String(), name: Type.String() }),
  input: Type.Object({ name: Type.String() }),
  entity: {
    GET: {},
    PUT: {
      status_codes: [
        {
          code: 201,
          message: 'The key is new.',
          response: Type.Object({ key_id: Type.String(), token: Type.String() }),
        },
      ],
    },
  },
  resource: {
    fetch: (id) => ({ key_id: id, name: 'front door' }),
    update: (id, { name }) => {
      const key = { key_id: id, name, token: 'once' };
      if (known.has(id)) return key;
      known.add(id);
      return created(key);
    },
  },
});

const keys: Module = {
  name: 'keys',
  requires: ['hosting', 'hal'],
  apis: [defineApi({ name: 'Keys', versions: { 1: { services: { Key } } } })],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ extra: [keys] });
});
afterAll(() => platform.stop());

it.each(['application/hal+json', 'application/json'])(
  'adds links to a response and filters it by the schema of its status for Accept: %s',
  async (accept) => {
    known.clear();
    const put = async () => {
      const response = await platform.request(
        '/keys/a',
        sendJson({ name: 'cellar' }, 'PUT', { Accept: accept }),
      );
      return [response.status, await bodyOf(response)];
    };
    const links = { _links: { self: { href: '/keys/a' } } };
    expect(await put()).toEqual([201, { ...links, key_id: 'a', token: 'once' }]);
    expect(await put()).toEqual([200, { ...links, key_id: 'a', name: 'cellar' }]);
  },
);
