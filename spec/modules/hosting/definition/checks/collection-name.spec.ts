import { defineApi, defineRestService, Type } from '../../../../../src/platform';
import { HOSTING, startRefusal } from '../../../../factories/processes/start-refusal';

const refusal = (collection_name: string): Promise<string> =>
  startRefusal({
    modules: HOSTING,
    extra: [
      {
        name: 'shop',
        requires: ['hosting'],
        apis: [
          defineApi({
            name: 'Shop',
            versions: {
              1: {
                services: {
                  Book: defineRestService({
                    route: '/books[/:id]',
                    route_identifier_name: 'id',
                    fields: Type.Object({ id: Type.String() }),
                    collection_name,
                    page_size: 2,
                    collection: { GET: {} },
                    resource: { fetchAll: () => [] },
                  }),
                },
              },
            },
          }),
        ],
      },
    ],
  });

describe('the name of the entities in a page', () => {
  it.each([
    'page',
    'page_size',
    'page_count',
    'total_items',
    'next_cursor',
    'previous_cursor',
    '_links',
    '_embedded',
  ])('is not %s, which is reserved for pages', async (name) => {
    expect(await refusal(name)).toContain(
      `The service Book of Shop-v1: collection_name is "${name}", which is reserved. Write a name other than page, page_size,`,
    );
  });

  it('is not empty', async () => {
    expect(await refusal('')).toBe(
      'The service Book of Shop-v1: collection_name is the string "". Write the name of a member, such as "items".',
    );
  });
});
