import {
  defineApi,
  defineRestService,
  Type,
  type Module,
  type RestResource,
} from '../../../../../src/platform';
import { patchPointer } from '../../../../../src/modules/hosting/rest/patch/patch-pointer';
import {
  PatchHandlerContext,
  type RestServiceContext,
} from '../../../../../src/modules/hosting/rest/rest-service-context';
import { createTestApplication } from '../../../../../src/testing';
import { growthOf } from '../../../../factories/measure/cpu-time';
import { makeMvcEvent } from '../../../../factories/mvc-event';
import { bodyOf } from '../../../../factories/http/requests';

const patches = [
  { id: 'a', patch: { home: { flat: 1 } } },
  { id: 'b', patch: { home: { flat: 2 } } },
  { id: 'c', patch: { home: { flat: 1 } } },
  { id: 'b', patch: { home: { flat: 3 } } },
];

describe('The pointer of a patch in a list', () => {
  it.each<[string, unknown, string | undefined, string]>([
    ['itself', patches[2]?.patch, 'a', '/2'],
    ['a copy, by the entity', { home: { flat: 1 } }, 'c', '/2'],
    ['an extended copy, by the entity', { home: { flat: 1 }, at: 'now' }, 'c', '/2'],
    ['a copy of one of two for an entity, by equality', { home: { flat: 3 } }, 'b', '/3'],
    ['an extended copy of one of two for an entity: the first', { home: {}, at: 'now' }, 'b', '/1'],
    ['a copy without an identifier, by equality', { home: { flat: 3 } }, undefined, '/3'],
    ['another object', { home: {} }, undefined, ''],
    ['another object with another identifier', null, 'z', ''],
  ])('is found for %s', (_, patch, id, place) => {
    expect(patchPointer(patches, patch, id)).toBe(place);
  });

  it('does not exist when the body itself is the patch', () => {
    expect(patchPointer([], {}, 'a')).toBe('');
  });
});

describe('A context that merges patches of a list', () => {
  it('takes linear time for copies of valid ones', () => {
    const definition = { route_identifier_name: 'id' };
    const merge = (size: number): void => {
      const list = Array.from({ length: size }, (_, at) => ({ id: `${at}`, patch: { flat: at } }));
      const context = new PatchHandlerContext(
        makeMvcEvent(),
        { api: 'Shelf', version: 1, definition } as unknown as RestServiceContext,
        list,
      );
      for (const { id, patch } of list) context.merge({ id }, { ...patch });
    };
    expect(growthOf(merge, 100, 1_600)).toBeLessThan(64);
  });
});

const input = Type.Object({
  title: Type.String(),
  binding: Type.Optional(Type.Object({ colour: Type.String(), ribbon: Type.Optional(Type.String()) })),
});

describe('A resource that copies the patches of a list', () => {
  const books = ['emma', 'moby'].map((book_id) => ({ book_id, title: book_id }));
  const shelf = (resource: RestResource): Module => ({
    name: 'shelf',
    requires: ['hosting'],
    apis: [
      defineApi({
        name: 'Shelf',
        versions: {
          1: {
            services: {
              Book: defineRestService({
                route: '/books[/:book_id]',
                route_identifier_name: 'book_id',
                fields: Type.Object({ book_id: Type.String(), ...input.properties }),
                input,
                collection: { PATCH: {} },
                resource: resource as never,
              }),
            },
          },
        },
      }),
    ],
  });

  it.each<[string, NonNullable<RestResource['patchList']>]>([
    [
      'each patch',
      (data, { merge }) =>
        data.map(({ id, patch }) =>
          merge(
            books.find(({ book_id }) => book_id === id),
            { ...(patch as object) },
          ),
        ),
    ],
    [
      'all patches, reversed',
      (data, { merge }) =>
        [...structuredClone(data)].reverse().map(({ id, patch }) =>
          merge(
            books.find(({ book_id }) => book_id === id),
            patch,
          ),
        ),
    ],
  ])('reports the location of the value the client sent: %s', async (_, patchList) => {
    const app = await createTestApplication({ modules: [shelf({ patchList })] });
    const json = [
      { book_id: 'emma', title: 'Emma' },
      { book_id: 'moby', binding: { ribbon: 'red' } },
    ];
    const answer = await app.inject({ path: '/books', method: 'PATCH', json });
    expect([answer.status, (await bodyOf(answer)).errors]).toEqual([
      422,
      [{ pointer: '/1/binding/colour', keyword: 'required', message: 'is required' }],
    ]);
    await app.close();
  });
});
