import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

let reads = 0;
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
              fields: Type.Object({ letter_id: Type.String() }),
              collection: { GET: { stream: ['application/x-ndjson', 'text/event-stream'] } },
              resource: {
                collectionRevision: () => 7,
                fetchAll: () => {
                  reads++;
                  return [{ letter_id: '1' }];
                },
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

const get = (accept: string, tag?: string) =>
  platform.request('/letters', {
    headers: { Accept: accept, ...(tag === undefined ? {} : { 'If-None-Match': tag }) },
  });

describe.each([
  ['application/x-ndjson', '"7"', '"7;event-stream"'],
  ['text/event-stream', '"7;event-stream"', '"7"'],
])('a collection with a revision that is streamed as %s', (type, own, other) => {
  it('has a tag of its own', async () => {
    const answer = await get(type);
    expect([answer.headers.get('content-type'), answer.headers.get('etag')]).toEqual([type, own]);
  });

  it("is not fetched when the client's copy is current", async () => {
    reads = 0;
    const answer = await get(type, own);
    expect([answer.status, await answer.text(), reads]).toEqual([304, '', 0]);
  });

  it('is sent to clients that have it in the other media type', async () => {
    expect((await get(type, other)).status).toBe(200);
  });
});
