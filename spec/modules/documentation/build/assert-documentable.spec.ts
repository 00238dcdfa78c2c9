import { defineApi, Type, type Module } from '../../../../src/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

/** Returns why the platform does not start with a service whose documentation has a value that is not data. */
function refusalOf(parts: { readonly keyword?: unknown; readonly example?: unknown }): Promise<string> {
  const service = {
    route: '/items[/:id]',
    route_identifier_name: 'id',
    fields: Type.Object({ id: Type.String({ 'x-note': parts.keyword ?? 'text' }) }),
    entity: { GET: { examples: { response: { id: parts.example ?? '1' } } } },
    resource: { fetch: () => ({ id: '1' }) },
  };
  const module: Module = {
    name: 'items',
    requires: ['hosting'],
    apis: [defineApi({ name: 'Things', versions: { 1: { services: { Item: service } } } })],
  };
  return startRefusal({ modules: [...HOSTING, 'documentation'], extra: [module] });
}

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
