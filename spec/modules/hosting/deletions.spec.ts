import { defineApi, defineRestService, Type, type Module } from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf } from '../../factories/requests';
import { HOSTING } from '../../factories/start-refusal';

const fields = Type.Object({ id: Type.String() });
const kept = new Set(['kept', 'later', 'spare']);

/** Deletes what is spare. */
const Shelf = defineRestService({
  route: '/shelf[/:id]',
  route_identifier_name: 'id',
  fields,
  collection: { DELETE: {} },
  entity: { GET: {}, DELETE: {} },
  resource: {
    fetch: (id) => {
      const found = kept.has(id) ? { id } : undefined;
      return id === 'later' ? Promise.resolve(found) : found;
    },
    delete: (id) => (id === 'later' ? Promise.resolve(false) : id === 'spare' && kept.delete(id)),
    deleteList: () => false,
  },
});

/** Says of nothing whether it is there. */
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

describe('a resource that has not deleted what it was asked to', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [module_] })));
  afterAll(() => platform.stop());

  const remove = (to: string) => platform.request(to, { method: 'DELETE' });

  it.each(['/shelf/none', '/chute/none'])('has no such entity, as far as it says: %s is 404', async (to) => {
    expect((await remove(to)).status).toBe(404);
  });

  it.each(['kept', 'later'])('has it still: 422, and the entity is there (%s)', async (id) => {
    const answer = await remove(`/shelf/${id}`);
    expect(answer.status).toBe(422);
    expect(await bodyOf(answer)).toMatchObject({ detail: `Shelf "${id}" could not be deleted.` });
    expect((await platform.request(`/shelf/${id}`)).status).toBe(200);
  });

  it('has its collection still: 422', async () => {
    const answer = await remove('/shelf');
    expect(answer.status).toBe(422);
    expect(await bodyOf(answer)).toMatchObject({ detail: 'The collection of Shelf could not be deleted.' });
  });

  it('is told from one that has', async () => {
    expect((await remove('/shelf/spare')).status).toBe(204);
    expect((await remove('/shelf/spare')).status).toBe(404);
    expect((await remove('/chute')).status).toBe(204);
  });
});
