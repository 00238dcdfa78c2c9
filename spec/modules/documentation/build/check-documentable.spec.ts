import { defineApi, Type, type Module } from '../../../../src/platform';
import { startTestPlatform } from '../../../factories/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

/** Parts of a service that are documented: a keyword of a schema, and a member of the example of a response. */
interface Parts {
  readonly keyword?: unknown;
  readonly example?: unknown;
}

function moduleWith(parts: Parts): Module {
  const service = {
    route: '/items[/:id]',
    route_identifier_name: 'id',
    fields: Type.Object({ id: Type.String({ 'x-note': parts.keyword ?? 'text' }) }),
    entity: { GET: { examples: { response: { id: parts.example ?? '1' } } } },
    resource: { fetch: () => ({ id: '1' }) },
  };
  return {
    name: 'items',
    requires: ['hosting'],
    apis: [defineApi({ name: 'Things', versions: { 1: { services: { Item: service } } } })],
  };
}

/** Returns why the platform does not start with a service whose documentation has a value that is not data. */
const refusalOf = (parts: Parts): Promise<string> =>
  startRefusal({ modules: [...HOSTING, 'documentation'], extra: [moduleWith(parts)] });

describe('the platform does not start, although documentation is built on first use,', () => {
  it('when an example contains a function', async () => {
    expect(
      await refusalOf({
        example: function newId() {
          return '1';
        },
      }),
    ).toBe(
      'Things-v1/Item entity GET: examples.response.id is a function newId, which cannot be documented. Write a JSON value.',
    );
  });

  it('when an example contains a promise', async () => {
    expect(await refusalOf({ example: Promise.resolve('1') })).toBe(
      'Things-v1/Item entity GET: examples.response.id is an instance of Promise, which cannot be documented. Write a JSON value.',
    );
  });

  it('when a schema contains a function', async () => {
    expect(await refusalOf({ keyword: () => 'text' })).toBe(
      'Things-v1/Item: fields.properties.id.x-note is a function keyword, which cannot be documented. Write a JSON value.',
    );
  });
});

describe('an example that is an instance of a class', () => {
  it('is documented with its members, in the JSON of the API as in other formats', async () => {
    class Item {
      readonly id = '1';

      toJSON(): string {
        return this.id;
      }
    }
    const platform = await startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      extra: [moduleWith({ example: new Item() })],
    });
    const documented = async (accept: string): Promise<string> =>
      (await platform.request('/platform/documentation/Things-v1', { headers: { accept } })).text();
    try {
      const members = '{"id":{"id":"1"}}';
      expect(await documented('application/json')).toContain(`"response_example":${members}`);
      expect(await documented('application/vnd.apidesc+json')).toContain(`"example":${members}`);
    } finally {
      await platform.stop();
    }
  });
});
