import {
  defineApi,
  defineRestService,
  StreamedCollection,
  Type,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const fields = Type.Object({
  id: Type.Integer(),
  tags: Type.Array(Type.String()),
  secret: Type.Optional(Type.String({ writeOnly: true })),
});
const entries = [1, 2, 3].map((id) => ({ id, tags: [`t${id}`, 'é'], secret: 'never sent' }));

async function* batches(): AsyncGenerator<typeof entries> {
  yield entries.slice(0, 2);
  yield await Promise.resolve(entries.slice(2));
}

const Entry = defineRestService({
  route: '/entries[/:id]',
  route_identifier_name: 'id',
  fields,
  page_size: 2,
  collection: { GET: { stream: ['application/x-ndjson', 'text/event-stream', 'text/csv'] } },
  resource: {
    fetchAll: () => entries,
    streamAll: () => new StreamedCollection(batches(), ['tags', 'id']),
  },
});
const shed: Module = {
  name: 'shed',
  apis: [defineApi({ name: 'Shed', versions: { 1: { services: { Entry } } } })],
};

describe('a paged collection with streamAll', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ modules: HOSTING, extra: [shed] });
  });
  afterAll(() => platform.stop());

  const get = (accept: string, query = ''): Promise<Response> =>
    platform.request(`/entries${query}`, { headers: { Accept: accept } });

  it('responds with pages by default', async () => {
    expect(await bodyOf(await get('*/*'))).toMatchObject({ page_count: 2, total_items: 3 });
    expect(await bodyOf(await get('application/json', '?page=2'))).toMatchObject({
      items: [{ id: 3, tags: ['t3', 'é'] }],
    });
  });

  it('streams every entity in each of its types, without members that are never sent', async () => {
    const lines = entries.map(({ id, tags }) => JSON.stringify({ id, tags }));
    expect(await (await get('application/x-ndjson')).text()).toBe(lines.map((line) => `${line}\n`).join(''));
    expect(await (await get('text/event-stream')).text()).toBe(
      lines.map((line) => `data: ${line}\n\n`).join(''),
    );
    expect(await (await get('text/csv')).text()).toBe(
      'tags,id\r\n"[""t1"",""é""]",1\r\n"[""t2"",""é""]",2\r\n"[""t3"",""é""]",3\r\n',
    );
  });

  it('rejects parameters of pages for a stream', async () => {
    const response = await get('text/csv', '?page=2');
    expect([response.status, (await bodyOf(response)).errors]).toEqual([
      400,
      [{ parameter: 'page', message: 'applies to pages; a stream has all entities' }],
    ]);
  });
});
