import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

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
              collection: { GET: {} },
              entity: { GET: {}, PUT: {} },
              resource: {
                fetchAll: () => [{ letter_id: '1', text: 'Dear Ada' }],
                fetch: (id) => (id === '1' ? { letter_id: id, text: 'Dear Ada' } : undefined),
                update: (id, data) => ({ ...data, letter_id: id }),
              },
            }),
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ modules: HOSTING, extra: [letters] });
});
afterAll(() => platform.stop());

describe('If-Match of an entity without a revision', () => {
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

describe.each([
  ['an entity', '/letters/1', 'Letter "1"'],
  ['a collection', '/letters', 'The collection of Letter'],
])('A read of %s without a revision', (_, path, subject) => {
  const read = (method: string, field: string, value: string) =>
    platform.request(path, { method, headers: { [field]: value } });

  it.each(['GET', 'HEAD'])('is 304 for %s if no state may exist, and 200 for any tag', async (method) => {
    const answer = await read(method, 'If-None-Match', '*');
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, null, '']);
    expect((await read(method, 'If-None-Match', '"7"')).status).toBe(200);
  });

  it.each(['GET', 'HEAD'])('is 412 for %s if its tag must match', async (method) => {
    const refused = await read(method, 'If-Match', '"7"');
    expect(refused.status).toBe(412);
    if (method === 'GET')
      expect((await bodyOf(refused)).detail).toBe(`${subject} has no entity tag, so If-Match cannot match.`);
    expect((await read(method, 'If-Match', '*')).status).toBe(200);
  });
});

describe('If-None-Match: * of a read that fails', () => {
  it.each([
    ['/letters/2', 404],
    ['/letters?page=0', 400],
  ])('has no effect: %s', async (path, status) => {
    const answer = await platform.request(path, { headers: { 'If-None-Match': '*' } });
    expect(answer.status).toBe(status);
  });
});
