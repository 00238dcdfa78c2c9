import type { Static } from '@sinclair/typebox';
import { defineApi, defineRestService, Type, type MergePatch, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const labels = Type.Record(Type.String(), Type.String());
const person = Type.Intersect([
  Type.Object({ id: Type.String(), name: Type.String() }),
  Type.Object({ age: Type.Optional(Type.Integer()), labels: Type.Optional(labels) }),
]);

type Person = Static<typeof person>;

/** A service whose entity schema is an `allOf`, and which keeps undeclared members. */
class People {
  readonly kept = new Map<string, Person>([
    ['1', { id: '1', name: 'Ada', age: 36, labels: { born: 'London', died: 'London' } }],
  ]);
  calls = 0;

  service = defineRestService({
    route: '/people[/:id]',
    route_identifier_name: 'id',
    fields: person,
    collection: { GET: {}, POST: {}, PATCH: {} },
    entity: { GET: {}, PATCH: {} },
    resource: {
      fetchAll: () => [...this.kept.values()],
      fetch: (id) => this.kept.get(id),
      create: ({ id, name, age = 0 }) => ({ id, name, age }),
      patch: (id, data, { merge }) => this.#changed(id, (there) => merge(there, data)),
      patchList: (patches, { merge }) =>
        patches.flatMap(({ id, patch }) => this.#changed(id, (there) => merge(there, patch)) ?? []),
    },
  });

  #changed(id: string, change: (there: Person) => Person): Person | undefined {
    this.calls++;
    const there = this.kept.get(id);
    if (there === undefined) return undefined;
    const made = change(there);
    this.kept.set(id, made);
    return made;
  }
}

let people: People;
let platform: TestPlatform;
beforeEach(async () => {
  people = new People();
  const module_: Module = {
    name: 'people',
    requires: ['hosting'],
    apis: [defineApi({ name: 'People', versions: { 1: { services: { Person: people.service } } } })],
  };
  const modules = [...HOSTING, 'documentation', 'documentation-apidesc'];
  platform = await startTestPlatform({ modules, extra: [module_] });
});
afterEach(() => platform.stop());
const patch = (body: unknown, path = '/people/1') => platform.request(path, sendJson(body, 'PATCH'));

describe('an entity whose schema combines several objects', () => {
  it('is created and patched as one object', async () => {
    const made = await platform.request('/people', sendJson({ id: '2', name: 'Bob', age: 7 }));
    expect(made.status).toBe(201);
    expect((await platform.request('/people', sendJson({ id: '2' }))).status).toBe(422);
    const answer = await patch({ name: 'Ada L.', age: null });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      id: '1',
      name: 'Ada L.',
      labels: { born: 'London', died: 'London' },
    });
  });

  it('keeps the members of every part', async () => {
    const answer = await patch({ name: null });
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([
      { pointer: '/name', keyword: 'type', message: 'must be string' },
    ]);
  });

  it('is patched in a list', async () => {
    const answer = await patch([{ id: '1', age: 37 }], '/people');
    expect(await answer.json()).toMatchObject([{ id: '1', name: 'Ada', age: 37 }]);
    expect((await patch([{ age: 37 }], '/people')).status).toBe(422);
  });
});

describe('null in a patch', () => {
  it('may remove an undeclared member', async () => {
    const answer = await patch({ labels: { died: null, known: 'engine' } });
    expect(await answer.json()).toMatchObject({ labels: { born: 'London', known: 'engine' } });
    expect(people.kept.get('1')?.labels).toEqual({ born: 'London', known: 'engine' });
    expect((await patch({ labels: { died: 7 } })).status).toBe(422);
  });

  it('is documented', async () => {
    const document = JSON.stringify(
      await bodyOf(await platform.request('/platform/documentation/People-v1?format=apidesc')),
    );
    expect(document).toContain(
      '"labels":{"type":["object","null"],"patternProperties":{"^(.*)$":{"type":["string","null"]}}}',
    );
  });

  it('is part of the patch type', () => {
    const data: MergePatch<{ labels: Record<string, string> }> = { labels: { died: null } };
    expect(data).toEqual({ labels: { died: null } });
  });
});

describe('a patch that changes nothing', () => {
  it('returns the entity unchanged', async () => {
    const before = await bodyOf(await platform.request('/people/1'));
    const answer = await patch({});
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(before);
    expect(await (await patch([{ id: '1' }], '/people')).json()).toEqual([before]);
    expect(people.calls).toBe(2);
    expect((await patch({}, '/people/2')).status).toBe(404);
  });

  it.each([[[]], [null], ['x'], [7]])('cannot be %j, which would replace the entity', async (body) => {
    expect((await patch(body)).status).toBe(422);
  });
});
