import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/requests';
import { HOSTING } from '../../../factories/start-refusal';

const letters: Module = {
  name: 'letters',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Letters',
      versions: {
        1: {
          services: {
            Letter: defineRestService({
              route: '/letters[/:letter_id]',
              route_identifier_name: 'letter_id',
              fields: Type.Object({ letter_id: Type.Optional(Type.String()), text: Type.String() }),
              entity: { GET: {}, PUT: {} },
              resource: {
                fetch: (id) => ({ letter_id: id, text: 'Dear Ada' }),
                update: (id, data) => ({ ...data, letter_id: id }),
              },
            }),
          },
        },
      },
    }),
  ],
};

describe('If-Match of an entity without a revision', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ modules: HOSTING, extra: [letters] });
  });
  afterAll(() => platform.stop());

  const request = (method: string, field: string) =>
    platform.request(
      '/letters/1',
      method === 'PUT'
        ? sendJson({ text: 'Dear Bo' }, method, { 'If-Match': field })
        : { method, headers: { 'If-Match': field } },
    );

  it.each(['GET', 'HEAD', 'PUT'])('is 412 for %s, unless it matches anything', async (method) => {
    const refused = await request(method, '"7"');
    expect(refused.status).toBe(412);
    if (method !== 'HEAD')
      expect(await bodyOf(refused)).toMatchObject({
        detail: 'Letter "1" has no entity tag, so If-Match cannot match.',
      });
    expect((await request(method, '*')).status).toBe(200);
  });
});
