import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const fields = Type.Object({ id: Type.String() });
const stored = new Set(['kept', 'later', 'spare']);

/** Deletes only spare parts. */
const Shelf = defineRestService({
  route: '/shelf[/:id]',
  route_identifier_name: 'id',
  fields,
  collection: { DELETE: {} },
  entity: { GET: {}, DELETE: {} },
  resource: {
    fetch: (id) => {
      const found = stored.has(id) ? { id } : undefined;
      return id === 'later' ? Promise.resolve(found) : found;
    },
    delete: (id) => (id === 'later' ? Promise.resolve(false) : id === 'spare' && stored.delete(id)),
    deleteList: () => false,
  },
});

/** Has no fetch. */
const Chute = defineRestService({
  route: '/chute[/:id]',
  route_identifier_name: 'id',
  fields,
  collection: { DELETE: {} },
  entity: { DELETE: {} },
  resource: { delete: () => false, deleteList: () => undefined },
});

const module_: Module = {
  name: 'deletions',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Deletions', versions: { 1: { services: { Shelf, Chute } } } })],
};

describe('a resource whose delete returns false', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [module_] })));
  afterAll(() => platform.stop());

  const remove = (to: string) => platform.request(to, { method: 'DELETE' });

  it.each(['/shelf/none', '/chute/none'])('responds %s with 404 when the entity is missing', async (to) => {
    expect((await remove(to)).status).toBe(404);
  });

  it.each(['kept', 'later'])('responds 422 when the entity still exists (%s)', async (id) => {
    const answer = await remove(`/shelf/${id}`);
    expect(answer.status).toBe(422);
    expect(await bodyOf(answer)).toMatchObject({ detail: `Shelf "${id}" could not be deleted.` });
    expect((await platform.request(`/shelf/${id}`)).status).toBe(200);
  });

  it('responds 422 when the collection still exists', async () => {
    const answer = await remove('/shelf');
    expect(answer.status).toBe(422);
    expect(await bodyOf(answer)).toMatchObject({ detail: 'The collection of Shelf could not be deleted.' });
  });

  it('is distinguished from one that deleted', async () => {
    expect((await remove('/shelf/spare')).status).toBe(204);
    expect((await remove('/shelf/spare')).status).toBe(404);
    expect((await remove('/chute')).status).toBe(204);
  });
});
